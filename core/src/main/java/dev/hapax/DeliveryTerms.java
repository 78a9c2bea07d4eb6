package dev.hapax;

import dev.hapax.flow.Names;
import dev.hapax.flow.RetryPolicy;
import java.time.Duration;

/**
 * Retries, timeout and key window for the deliveries to a destination.
 *
 * @param retry when to try again, and when to give up; then the message is a dead letter
 * @param timeout how long one attempt may take
 * @param remembered how long the receiver removes repeats of an id; a person settles a message that
 *     is in doubt for longer
 */
public record DeliveryTerms(RetryPolicy retry, Duration timeout, Duration remembered) {
  /** Retries for a day, with delays from one second up to 15 minutes. */
  public static final DeliveryTerms DEFAULT =
      new DeliveryTerms(
          new RetryPolicy(
              200, Duration.ofSeconds(1), 2, Duration.ofMinutes(15), 0.2, Duration.ofHours(24)),
          Duration.ofSeconds(30),
          Duration.ofHours(25));

  public DeliveryTerms {
    Names.positive("timeout of a delivery", timeout);
    Names.positive("how long a receiver remembers an id", remembered);
  }

  public DeliveryTerms retry(RetryPolicy policy) {
    return new DeliveryTerms(policy, timeout, remembered);
  }

  public DeliveryTerms timeout(Duration time) {
    return new DeliveryTerms(retry, time, remembered);
  }

  public DeliveryTerms remembered(Duration time) {
    return new DeliveryTerms(retry, timeout, time);
  }
}
