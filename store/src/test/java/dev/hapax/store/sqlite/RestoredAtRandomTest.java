package dev.hapax.store.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.Hapax;
import dev.hapax.HapaxOptions;
import dev.hapax.flow.Effect;
import dev.hapax.flow.Flow;
import dev.hapax.flow.Restoration;
import dev.hapax.flow.Run;
import dev.hapax.flow.RunStatus;
import dev.hapax.testkit.ManualTime;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Random runs, a backup at a random moment, and more work; then the backup takes the place of its
 * store, a person says that it is production, and clients start everything once more. Nothing
 * unguarded may be sent twice, and a key is used again only while its window, counted from the
 * backup, is open.
 */
@Tag("crash")
class RestoredAtRandomTest {
  private static final int SEEDS = 20;
  private static final Duration SHORT_WINDOW = Duration.ofHours(1);
  private static final Duration LONG_WINDOW = Duration.ofDays(30);
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  @TempDir Path folder;

  /** Something that has left. */
  private record Sending(String what, String wireKey, Instant at) {}

  @Test
  void whenever_a_store_is_restored_nothing_is_done_twice_that_cannot_be() throws Exception {
    int repeated = 0;
    for (int seed = 0; seed < SEEDS; seed++) {
      var story = new Story(seed);

      story.play(HapaxOptions.DEFAULT);

      assertThat(story.broken()).as("seed %d: %s", seed, story.sent).isEmpty();
      repeated += story.sentAgain();
    }
    assertThat(repeated).as("keyed sends that were repeated over all seeds").isPositive();
  }

  @Test
  void an_engine_that_forgets_the_restore_is_noticed() throws Exception {
    int broken = 0;
    for (int seed = 0; seed < SEEDS && broken == 0; seed++) {
      var story = new Story(seed);
      story.play(HapaxOptions.DEFAULT.failoversLoseNothing(true));
      broken += story.broken().size();
    }
    assertThat(broken).isPositive();
  }

  /** What happens by one seed. */
  private final class Story {
    private final Random random;
    private final ManualTime time;
    private final Path file;
    private final Path backup;
    private final List<Sending> sent = new CopyOnWriteArrayList<>();
    private final List<String> plans = new ArrayList<>();
    private Instant stamp = Instant.MAX;

    Story(long seed) {
      this.random = new Random(seed);
      this.time = new ManualTime(seed);
      String name = "s" + seed + "-" + System.nanoTime();
      this.file = folder.resolve(name + ".db");
      this.backup = folder.resolve(name + ".backup");
    }

    /** A letter per step: wait, keyed for long, keyed for an hour, none. The plan is the key. */
    private final Flow<String, String> flow =
        Flow.of("plan", String.class, String.class)
            .key(plan -> plan)
            .body(
                (run, plan) -> {
                  String steps = plan.substring(plan.indexOf(':') + 1);
                  for (int i = 0; i < steps.length(); i++) {
                    String what = plan + "/" + i;
                    switch (steps.charAt(i)) {
                      case 'w' -> run.sleep("wait" + i, Duration.ofMinutes(7));
                      case 'l' ->
                          run.effect(
                              "long" + i,
                              Effect.create(what).keyed(LONG_WINDOW),
                              key -> send("l " + what, key),
                              String.class);
                      case 's' ->
                          run.effect(
                              "short" + i,
                              Effect.create(what).keyed(SHORT_WINDOW),
                              key -> send("s " + what, key),
                              String.class);
                      default ->
                          run.effect(
                              "none" + i,
                              Effect.notify(what).unguarded(),
                              key -> send("n " + what, key),
                              String.class);
                    }
                  }
                  return plan;
                });

    private String send(String what, String key) {
      sent.add(new Sending(what, key, time.now()));
      return what;
    }

    void play(HapaxOptions options) throws IOException {
      var terms = options.ports(time.ports()).closeWithin(PATIENCE);
      try (Hapax hapax = Hapax.open(file, terms)) {
        hapax.register(flow);
        int moments = 4 + random.nextInt(6);
        int ofBackup = random.nextInt(moments);
        for (int moment = 0; moment < moments; moment++) {
          if (random.nextInt(3) > 0) {
            start(hapax, plan());
          }
          if (moment == ofBackup) {
            stamp = time.now();
            hapax.backup(backup);
          }
          pass(hapax, Duration.ofMinutes(random.nextInt(12)));
        }
      }
      time.move(Duration.ofMinutes(random.nextInt(150)));
      Files.copy(backup, file, StandardCopyOption.REPLACE_EXISTING);
      try (Hapax hapax = Hapax.open(file, terms)) {
        hapax.register(flow);
        hapax.restore(Restoration.PRODUCTION);
        plans.forEach(plan -> start(hapax, plan)); // clients repeat what they have no answer for
        for (int moment = 0; moment < 8; moment++) {
          pass(hapax, Duration.ofMinutes(8));
        }
      }
    }

    private String plan() {
      var steps = new StringBuilder();
      for (int i = 0; i <= random.nextInt(5); i++) {
        steps.append("wwlsn".charAt(random.nextInt(5)));
      }
      String plan = plans.size() + ":" + steps;
      plans.add(plan);
      return plan;
    }

    private void start(Hapax hapax, String plan) {
      hapax.start(flow, plan);
      settle(hapax);
    }

    private void pass(Hapax hapax, Duration by) {
      time.move(by);
      settle(hapax);
    }

    /** Until every run has ended, waits for a later time, or waits for a person. */
    private void settle(Hapax hapax) {
      long end = System.nanoTime() + PATIENCE.toNanos();
      int quiet = 0;
      while (quiet < 3) {
        boolean isQuiet = hapax.runs(hapax.runs()).stream().allMatch(this::isAtRest);
        quiet = isQuiet ? quiet + 1 : 0;
        assertThat(System.nanoTime()).as("runs come to rest").isLessThan(end);
        if (!isQuiet) {
          time.move(Duration.ofMillis(10)); // a timer that had read the clock before looks again
        }
        LockSupport.parkNanos(Duration.ofMillis(3).toNanos());
      }
    }

    private boolean isAtRest(Run run) {
      Instant due = run.dueAt();
      return run.status().isEnd()
          || run.status() == RunStatus.REVIEW
          || (run.status() == RunStatus.WAITING && due != null && due.isAfter(time.now()));
    }

    List<String> broken() {
      List<String> broken = new ArrayList<>();
      byWhat()
          .forEach(
              (what, all) -> {
                if (all.size() > 1 && what.startsWith("n ")) {
                  broken.add(what + " was sent " + all.size() + " times");
                }
                if (all.stream().map(Sending::wireKey).distinct().count() > 1) {
                  broken.add(what + " was sent under several keys");
                }
                Instant last = all.getLast().at();
                if (all.size() > 1
                    && what.startsWith("s ")
                    && last.isAfter(stamp.plus(SHORT_WINDOW))) {
                  broken.add(what + " was sent again after its window, at " + last);
                }
              });
      return broken;
    }

    int sentAgain() {
      return (int) byWhat().values().stream().filter(all -> all.size() > 1).count();
    }

    private Map<String, List<Sending>> byWhat() {
      return sent.stream().collect(Collectors.groupingBy(Sending::what));
    }
  }
}
