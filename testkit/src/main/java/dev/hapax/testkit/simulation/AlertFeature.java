package dev.hapax.testkit.simulation;

import dev.hapax.DeliveryTerms;
import dev.hapax.Hapax;
import dev.hapax.run.StoredMessage;
import dev.hapax.testkit.promise.Observation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Alerts report to people what the runs, schedules, destinations and nodes come to. */
final class AlertFeature implements Feature {
  private static final String DESTINATION = "people";

  private final List<Observation> observations = new ArrayList<>();
  private final Outside outside;
  private final Post post;

  AlertFeature(Outside outside) {
    this.outside = outside;
    this.post = new Post(outside.with());
  }

  @Override
  public void prepare() {
    outside.machines().alertTo(DESTINATION);
    observations.add(new Observation.AlertsWanted(StoredMessage.FLOWS + DESTINATION));
  }

  @Override
  public void opened(Hapax hapax) {
    hapax
        .outbox()
        .courier(
            DESTINATION,
            message ->
                post.deliver(
                    () ->
                        observations.add(
                            new Observation.AlertArrived(message.id(), message.type()))),
            DeliveryTerms.DEFAULT.timeout(Duration.ofSeconds(30)));
  }

  @Override
  public void finish() {
    post.sendDeadLettersAgain(outside.machines().hapax());
  }

  @Override
  public List<Observation> observations() {
    return observations;
  }
}
