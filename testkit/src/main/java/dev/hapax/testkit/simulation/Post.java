package dev.hapax.testkit.simulation;

import dev.hapax.Delivery;
import dev.hapax.Hapax;
import dev.hapax.flow.NotApplied;
import dev.hapax.flow.Rejected;
import java.io.IOException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Carries messages; loses some and their receipts, and may be refused. */
final class Post {
  private final SimulatedStore.Simulated with;

  Post(SimulatedStore.Simulated with) {
    this.with = with;
  }

  void deliver(Runnable arrival) throws IOException {
    with.scheduler().checkAlive();
    if (with.swarm().strikes(Fault.REQUEST_REFUSED)) {
      throw new NotApplied("connection refused");
    }
    if (with.swarm().strikes(Fault.REQUEST_REJECTED)) {
      throw new Rejected("declined", "they decline");
    }
    if (with.swarm().strikes(Fault.REQUEST_LOST)) {
      throw new IOException("connection reset");
    }
    with.scheduler().sleep(Duration.ofMillis(20));
    arrival.run();
    if (with.swarm().strikes(Fault.ANSWER_LOST)) {
      throw new IOException("connection reset");
    }
  }

  void sendDeadLettersAgain(@Nullable Hapax hapax) {
    if (hapax != null) {
      for (Delivery dead : hapax.outbox().deadLetters()) {
        Client.tell(() -> hapax.outbox().redeliver(dead, "operator"));
      }
    }
  }
}
