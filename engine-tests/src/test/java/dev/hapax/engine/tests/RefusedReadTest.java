package dev.hapax.engine.tests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.Acknowledgement;
import dev.hapax.Event;
import dev.hapax.Hapax;
import dev.hapax.HapaxOptions;
import dev.hapax.RunHandle;
import dev.hapax.flow.Each;
import dev.hapax.flow.Effect;
import dev.hapax.flow.Flow;
import dev.hapax.flow.InboxOutcome;
import dev.hapax.flow.NoAnswer;
import dev.hapax.flow.NotApplied;
import dev.hapax.flow.NotFound;
import dev.hapax.flow.RetryPolicy;
import dev.hapax.flow.Run;
import dev.hapax.flow.RunContext;
import dev.hapax.flow.RunFilter;
import dev.hapax.flow.RunStatus;
import dev.hapax.flow.StoreUnavailable;
import dev.hapax.flow.Undo;
import dev.hapax.testkit.ManualTime;
import dev.hapax.testkit.memory.MemoryStore;
import dev.hapax.testkit.simulation.WrappedFailure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A store that cannot answer a read is not an answer: whichever read of a busy engine is refused,
 * every run comes to the end that it comes to otherwise, and the same leaves for the outside.
 */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class RefusedReadTest {
  private static final String LARGE = "x".repeat(100_000);
  private static final Duration LONGEST = Duration.ofHours(3);

  /** Time moves on while code is on its way, however busy the machine is. */
  private static final Duration PATIENCE = LONGEST.multipliedBy(2);

  private static final RetryPolicy PATIENT = RetryPolicy.DEFAULT.within(PATIENCE);

  private record Order(String id) {}

  /** What is left when all is over. */
  private record Ending(Map<String, RunStatus> runs, List<String> arrivals, InboxOutcome event) {}

  /** One process with a flow of every kind of step, from its start to the end of its last run. */
  private static final class Scene {
    private final ManualTime time = new ManualTime();
    private final RefusableReads reads = new RefusableReads(new MemoryStore());
    private final List<String> arrivals = new ArrayList<>(); // guarded by itself
    private final AtomicReference<String> token = new AtomicReference<>();
    private final AtomicInteger attempts = new AtomicInteger();
    private final AtomicReference<Hapax> engine = new AtomicReference<>();
    private final int depth;

    /** Creates a process whose flows wrap a refusal this many times. */
    Scene(int depth) {
      this.depth = depth;
    }

    /** A flow's own code asks the store. */
    private <T> T asked(T answer) {
      try {
        engine.get().kv().get("asked");
        return answer;
      } catch (NoAnswer e) {
        throw WrappedFailure.of(e, depth);
      }
    }

    private final Flow<Order, String> child =
        Flow.of("child", Order.class, String.class)
            .key(order -> asked(order.id()))
            .body(
                (run, order) -> {
                  run.sleep("pause", Duration.ofMinutes(1));
                  run.effect(
                      "pack",
                      Effect.create(order.id()).keyed().timeout(PATIENCE),
                      key -> send("pack", key));
                  return LARGE;
                });

    private final Flow<Order, String> shop =
        Flow.of("shop", Order.class, String.class).key(Order::id).body(this::shop);

    private final Flow<Order, String> saga =
        Flow.of("saga", Order.class, String.class)
            .key(Order::id)
            .onFailure(Flow.OnFailure.COMPENSATE)
            .body(
                (run, order) -> {
                  run.effect(
                      "book",
                      Effect.create(order.id())
                          .keyed()
                          .timeout(PATIENCE)
                          .compensate(
                              String.class,
                              booked ->
                                  asked(
                                      Undo.keyed(key -> send("unbook " + booked.length(), key))
                                          .timeout(PATIENCE))),
                      key -> {
                        send("book", key);
                        return LARGE;
                      },
                      String.class);
                  run.sleep("pause", Duration.ofMinutes(1));
                  return run.step(
                      "fail",
                      () -> {
                        throw new IllegalStateException("no room");
                      },
                      String.class);
                });

    private String shop(RunContext run, Order order) throws Exception {
      String first = run.step("first", () -> asked(LARGE), String.class);
      asked(order);
      run.effect(
          "charge",
          Effect.create(order.id()).request(order).keyed().timeout(PATIENCE).retry(PATIENT),
          (key, request) -> {
            if (attempts.getAndIncrement() == 0) {
              throw new NotApplied("busy");
            }
            return send("charge " + request.id(), key);
          },
          String.class);
      run.effect(
          "mail",
          Effect.notify(order.id()).unguarded().timeout(PATIENCE),
          key -> send("mail", key));
      run.kv().put("note", "orders/" + order.id(), first.length());
      token.set(run.callback("answer"));
      String answer = run.awaitCallback("answer", String.class);
      run.parallel(
          List.of(
              branch -> {
                branch.sleep("left", Duration.ofMinutes(1));
                asked(order);
                return branch.effect(
                    "left-done",
                    Effect.create(order.id()).keyed().timeout(PATIENCE),
                    key -> send("left", key),
                    String.class);
              }));
      run.forEach(
          "parcels",
          Each.of(List.of("a", "b", "c"), item -> item),
          (item, parcel) -> {
            item.sleep("pause", Duration.ofMinutes(1));
            asked(parcel);
            item.effect(
                "ship", Effect.create(parcel).keyed().timeout(PATIENCE), key -> send("ship", key));
          });
      String packed = run.call("child", child, order);
      return run.locked(
          "door",
          order.id(),
          _ -> {
            run.sleep("inside", Duration.ofMinutes(1));
            return answer + packed.length();
          });
    }

    private String send(String what, String key) {
      synchronized (arrivals) {
        arrivals.add(what + " " + key);
      }
      return what;
    }

    Ending play() {
      int moves = 0;
      try (Hapax hapax = asking(this::open)) {
        engine.set(hapax);
        asking(() -> register(hapax));
        hapax.inbox().source("shop", Order.class, shop, this::asked);
        Acknowledgement event =
            asking(
                () ->
                    hapax.inbox().receive(Event.from("shop").id("e-1").payload(new Order("A-1"))));
        RunHandle<String> booking = asking(() -> hapax.start(saga, new Order("B-1")));
        boolean isAnswered = false;
        while (!asking(() -> isOver(hapax))) {
          String given = token.get();
          if (given != null && !isAnswered) {
            isAnswered = asking(() -> answer(hapax, given));
          }
          assertThat(++moves)
              .as(() -> "no end of " + booking.id() + ": " + asking(() -> errors(hapax)))
              .isLessThan((int) LONGEST.toSeconds());
          time.move(Duration.ofSeconds(1));
          LockSupport.parkNanos(100_000);
        }
        return new Ending(asking(() -> statuses(hapax)), sorted(), event.outcome());
      }
    }

    /** False if the callback is not durable yet. */
    private static boolean answer(Hapax hapax, String given) {
      try {
        hapax.callbacks().answer(given, "yes");
        return true;
      } catch (NotFound e) {
        return false;
      }
    }

    private Hapax open() {
      return Hapax.open(reads, HapaxOptions.DEFAULT.ports(time.ports()).closeWithin(Duration.ZERO));
    }

    private boolean register(Hapax hapax) {
      List.of(child, shop, saga).forEach(hapax::register);
      return true;
    }

    /** As a caller over HTTP does who hears 503. */
    private <T> T asking(Supplier<T> question) {
      while (true) {
        try {
          return question.get();
        } catch (RuntimeException e) {
          assertThat(NoAnswer.behind(e)).as(() -> "" + e).isNotNull();
          time.move(Duration.ofMillis(100));
        }
      }
    }

    private static boolean isOver(Hapax hapax) {
      List<Run> runs = hapax.runs(new RunFilter("default", null, null, null, null, 100));
      return runs.size() == 3 && runs.stream().allMatch(run -> run.status().isEnd());
    }

    private static List<String> errors(Hapax hapax) {
      return hapax.runs(new RunFilter("default", null, null, null, null, 100)).stream()
          .map(run -> run.flow() + ": " + run.status() + " " + run.error())
          .toList();
    }

    private static Map<String, RunStatus> statuses(Hapax hapax) {
      return hapax.runs(new RunFilter("default", null, null, null, null, 100)).stream()
          .collect(
              Collectors.toMap(
                  run -> run.flow() + " " + run.key(), Run::status, (a, b) -> b, TreeMap::new));
    }

    private List<String> sorted() {
      synchronized (arrivals) {
        return arrivals.stream().sorted().toList();
      }
    }
  }

  @Test
  @Tag("simulation")
  @SuppressWarnings("MemberName") // the names of tests are sentences
  void whichever_read_is_refused_everything_ends_as_it_does_otherwise() {
    var undisturbed = new Scene(0);
    Ending expected = undisturbed.play();
    assertThat(expected.runs().values()).containsOnly(RunStatus.SUCCEEDED, RunStatus.COMPENSATED);
    assertThat(expected.arrivals()).doesNotHaveDuplicates().hasSize(9);
    var kinds = undisturbed.reads.asked().stream().collect(Collectors.toSet());
    assertThat(kinds)
        .contains(
            "holder", "load", "due", "nextDue", "itemRows", "journal", "effect", "find", "keep")
        .contains("resource", "content");

    for (String kind : kinds) {
      int all = (int) undisturbed.reads.asked().stream().filter(kind::equals).count();
      for (int nth = 1; nth <= Math.min(all, 40); nth++) {
        var scene = new Scene(nth % (WrappedFailure.DEEPEST + 1));
        var seen = new AtomicInteger();
        int target = nth;
        scene.reads.refuse(
            name -> name.equals(kind) && seen.incrementAndGet() == target,
            () -> {
              throw new StoreUnavailable("the server is busy", null);
            });

        Ending ending = scene.play();

        assertThat(ending).as("%s number %d was refused", kind, nth).isEqualTo(expected);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3, 4})
  @SuppressWarnings("MemberName")
  void a_store_that_refuses_one_read_in_three_delays_and_changes_nothing(int depth) {
    Ending expected = new Scene(0).play();
    var scene = new Scene(depth);
    var chance = new SplittableRandom(3); // one read in three in turn could always be the same
    scene.reads.refuse(
        _ -> chance.nextInt(3) == 0,
        () -> {
          throw new StoreUnavailable("the server is busy", null);
        });

    assertThat(scene.play()).isEqualTo(expected);
  }
}
