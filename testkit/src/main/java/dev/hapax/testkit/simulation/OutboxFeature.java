package dev.hapax.testkit.simulation;

import dev.hapax.DeliveryTerms;
import dev.hapax.Hapax;
import dev.hapax.OutgoingMessage;
import dev.hapax.flow.Message;
import dev.hapax.flow.RunContext;
import dev.hapax.testkit.promise.MessagesKeepTheirLine;
import dev.hapax.testkit.promise.Observation;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A run publishes messages; their courier loses some, doubles others, and may be refused. */
final class OutboxFeature implements Feature {
  private static final String DESTINATION = "shop";

  private final Outside outside;
  private final Post post;
  private final List<Observation> observations = new ArrayList<>();

  OutboxFeature(Outside outside) {
    this.outside = outside;
    this.post = new Post(outside.with());
  }

  @Override
  public Plan.Does does() {
    return Plan.Does.PUBLISH;
  }

  @Override
  public String carryOut(Scene scene, Plan.PlannedStep step, Body body) {
    RunContext run = scene.run();
    boolean isInLine = run.key().hashCode() % 2 == 0;
    Message message =
        isInLine
            ? Message.to(DESTINATION).type(MessagesKeepTheirLine.TYPE).inLine(run.id())
            : Message.to(DESTINATION).type("told");
    return run.publish(step.name(), message.data(step.content()));
  }

  @Override
  public void opened(Hapax hapax) {
    hapax
        .outbox()
        .courier(DESTINATION, this::deliver, DeliveryTerms.DEFAULT.timeout(Duration.ofSeconds(30)));
  }

  private void deliver(OutgoingMessage message) throws IOException {
    post.deliver(
        () -> observations.add(new Observation.MessageArrived(message.id(), message.json())));
  }

  /** The person on call sends dead letters again. */
  @Override
  public void finish() {
    post.sendDeadLettersAgain(outside.machines().hapax());
  }

  @Override
  public List<Observation> observations() {
    return observations;
  }
}
