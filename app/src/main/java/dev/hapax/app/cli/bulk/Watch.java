package dev.hapax.app.cli.bulk;

import dev.hapax.app.cli.connection.ServerReply;
import dev.hapax.app.cli.output.Item;
import java.time.Duration;
import java.util.function.Supplier;

/** Looks at something at the server until it is over. */
final class Watch {
  private static final Duration FIRST_PAUSE = Duration.ofMillis(100);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(1);

  private Watch() {}

  /** Returns what was seen first that is not in this state. */
  static Item until(String state, Supplier<ServerReply> look) throws InterruptedException {
    Duration pause = FIRST_PAUSE;
    while (true) {
      var seen = new Item(look.get().json());
      if (!seen.text("state").equals(state)) {
        return seen;
      }
      Thread.sleep(pause);
      Duration longer = pause.multipliedBy(2);
      pause = longer.compareTo(LONGEST_PAUSE) < 0 ? longer : LONGEST_PAUSE;
    }
  }
}
