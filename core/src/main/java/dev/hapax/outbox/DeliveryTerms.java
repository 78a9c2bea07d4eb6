package dev.hapax.outbox;

import dev.hapax.flow.Names;
import dev.hapax.flow.RetryPolicy;
import java.time.Duration;

/**
 * How hard a destination is tried.
 *
 * @param retry when to try again, and when to give up: then it is a dead letter
 * @param timeout how long one attempt may take
 * @param remembered for how long the receiver removes repeats of an id; what is in doubt longer is
 *     shown to a person
 */
public record DeliveryTerms(RetryPolicy retry, Duration timeout, Duration remembered) {
  /** For a day, from every second to every quarter of an hour. */
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
