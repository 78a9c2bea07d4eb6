package dev.hapax.engine.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.hapax.RunHandle;
import dev.hapax.Settlement;
import dev.hapax.flow.Effect;
import dev.hapax.flow.EffectState;
import dev.hapax.flow.Flow;
import dev.hapax.flow.Resource;
import dev.hapax.flow.ResourceNotFound;
import dev.hapax.flow.Run;
import dev.hapax.flow.RunStatus;
import dev.hapax.json.Json;
import dev.hapax.json.NotSerializable;
import dev.hapax.run.value.ResourceRef;
import dev.hapax.store.Batch;
import dev.hapax.store.Change;
import dev.hapax.store.Group;
import dev.hapax.store.Head;
import dev.hapax.store.UnknownCommit;
import dev.hapax.time.IdSource;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Large values: put by hand, and results that are too large for the journal. */
@SuppressWarnings("MemberName") // the names of tests are sentences
class ResourceTest extends EngineTest {
  private static final String LARGE = "x".repeat(100_000);
  private static final String VERY_LARGE = "ä".repeat(1_500_000);
  private static final byte[] BYTES = "a letter".getBytes(StandardCharsets.UTF_8);
  private static final String UNKNOWN = "res://" + "0".repeat(64);

  @Test
  void a_body_puts_a_value_once_and_gets_it_by_its_reference() {
    var puts = new AtomicInteger();
    Flow<Order, Receipt> flow =
        orders("letters")
            .body(
                (run, order) -> {
                  String ref = run.resource("letter", letter(puts.incrementAndGet()), "text/plain");
                  run.sleep("pause", Duration.ofHours(1));
                  return new Receipt(order.id(), run.resource(ref).text());
                });
    register(flow);
    RunHandle<Receipt> run = hapax.start(flow, order("A-1"));
    awaitReleased(run);

    crash(flow);
    moveAndAwait(Duration.ofHours(1), () -> isEnded(run));

    assertThat(puts).hasValue(2); // the body ran twice, and the first value stands
    assertThat(output(run)).contains("letter 1");
    assertThat(entry(run, "step-done").output()).isEqualTo("\"" + ResourceRef.to(letter(1)) + "\"");
  }

  @Test
  void an_attempt_stores_what_it_streams_and_its_result_keeps_it() {
    byte[] content = VERY_LARGE.getBytes(StandardCharsets.UTF_8);
    Flow<Order, Receipt> flow =
        orders("streams")
            .body(
                (run, order) -> {
                  String ref =
                      run.effect(
                          "fetch",
                          Effect.create(order.id()).upsert(),
                          _ -> run.resource(new ByteArrayInputStream(content), "text/plain"),
                          String.class);
                  run.sleep("pause", Duration.ofDays(3)); // its grace is over then
                  return new Receipt(order.id(), run.resource(ref).ref());
                });
    register(flow);
    RunHandle<Receipt> run = hapax.start(flow, order("A-1"));
    awaitReleased(run);

    crash(flow);
    moveAndAwait(Duration.ofDays(3), () -> isEnded(run));

    assertThat(output(run)).contains(ResourceRef.to(content).toString());
    assertThat(hapax.resources().put(content, "text/plain"))
        .isEqualTo(ResourceRef.to(content).toString());
  }

  @Test
  void a_stream_without_an_end_is_refused() {
    var endless =
        new InputStream() {
          @Override
          public int read() {
            return 'x';
          }
        };

    assertThatThrownBy(() -> hapax.resources().put(endless, "text/plain"))
        .isInstanceOf(NotSerializable.class)
        .hasMessageContaining("more than 67,108,864 bytes");
  }

  @Test
  void a_large_step_output_leaves_the_journal_and_comes_back_at_the_replay() {
    for (String value : List.of(LARGE, VERY_LARGE)) {
      var calls = new AtomicInteger();
      var heard = new CopyOnWriteArrayList<String>();
      Flow<Order, Receipt> flow =
          orders("large-step-" + value.length())
              .body(
                  (run, order) -> {
                    heard.add(
                        run.step(
                            "read",
                            () -> {
                              calls.incrementAndGet();
                              return value;
                            },
                            String.class));
                    run.sleep("pause", Duration.ofHours(1));
                    return new Receipt(order.id(), "done");
                  });
      register(flow);
      RunHandle<Receipt> run = hapax.start(flow, order("A-1"));
      awaitReleased(run);

      crash(flow);
      moveAndAwait(Duration.ofHours(1), () -> isEnded(run));

      assertThat(calls).hasValue(1);
      assertThat(heard).containsExactly(value, value);
      assertThat(entry(run, "step-done").output()).isEqualTo(refOf(value));
    }
  }

  @Test
  void a_large_effect_result_is_reused_by_another_run() {
    var sent = new AtomicInteger();
    Effect<?> effect = Effect.create("K").keyed(Duration.ofHours(24)).name("shared");
    Flow<Order, String> first = reporting("first", effect, sent);
    Flow<Order, String> second = reporting("second", effect, sent);
    register(first);
    register(second);

    hapax.start(first, order("A-1")).await();
    RunHandle<String> reused = hapax.start(second, order("A-2"));

    assertThat(reused.await()).isEqualTo("100000");
    assertThat(sent).hasValue(1);
    assertThat(effect(EffectState.DONE).result()).isEqualTo(refOf(LARGE));
    assertThat(entry(reused, "reused").output()).isEqualTo(refOf(LARGE));
  }

  @Test
  void a_large_output_of_a_run_is_awaited() {
    for (String value : List.of(LARGE, VERY_LARGE)) {
      Flow<Order, String> flow =
          Flow.of("large-" + value.length(), Order.class, String.class)
              .key(Order::id)
              .body((_, _) -> value);
      register(flow);

      RunHandle<String> run = hapax.start(flow, order("A-1"));

      assertThat(run.await()).isEqualTo(value);
      assertThat(run.run().output()).isEqualTo(refOf(value));
      assertThat(hapax.start(flow, order("A-1")).await()).isEqualTo(value);
      assertThat(hapax.handle(run.id(), String.class).await()).isEqualTo(value);
      assertThat(entry(run, "ended").output()).isEqualTo(refOf(value));
    }
  }

  @Test
  void a_commit_with_unknown_outcome_stores_a_large_output_once() {
    for (boolean afterLanding : new boolean[] {false, true}) {
      Flow<Order, String> flow =
          Flow.of("unknown-" + afterLanding, Order.class, String.class)
              .key(Order::id)
              .body((_, _) -> VERY_LARGE);
      register(flow);
      var struck = new AtomicBoolean();
      process.beforeCommit(
          batch -> {
            if (stores(batch) && struck.compareAndSet(false, true)) {
              process.failNextCommit(new UnknownCommit("lost", new Exception()), afterLanding);
            }
          });

      var run = new CopyOnWriteArrayList<RunHandle<String>>();
      Thread starter = Thread.startVirtualThread(() -> run.add(hapax.start(flow, order("A-1"))));
      moveUntil(Duration.ofMillis(100), () -> !starter.isAlive() && isEnded(run.getFirst()));

      assertThat(struck).isTrue();
      assertThat(run.getFirst().await()).isEqualTo(VERY_LARGE);
    }
  }

  @Test
  void a_process_that_dies_between_the_parts_of_an_output_makes_it_again() {
    var bodies = new AtomicInteger();
    Flow<Order, String> flow =
        Flow.of("dies", Order.class, String.class)
            .key(Order::id)
            .body(
                (run, _) -> {
                  run.step("first", () -> 1, Integer.class);
                  bodies.incrementAndGet();
                  return VERY_LARGE;
                });
    register(flow);
    var parts = new AtomicInteger();
    process.beforeCommit(
        batch -> {
          if (stores(batch) && parts.incrementAndGet() == 2) {
            process.die();
          }
        });
    RunHandle<String> run = hapax.start(flow, order("A-1"));
    eventually(() -> parts.get() == 2);

    crash(flow);

    assertThat(hapax.handle(run.id(), String.class).await()).isEqualTo(VERY_LARGE);
    assertThat(bodies).hasValue(2);
  }

  @Test
  void a_large_result_that_a_person_settles_comes_back() {
    Flow<Order, Receipt> flow =
        charging(
            "settled",
            create(order("A-1")).unguarded(),
            _ -> {
              throw new IllegalStateException("reset");
            });
    register(flow);
    RunHandle<Receipt> run = hapax.start(flow, order("A-1"));
    awaitStatus(run, RunStatus.REVIEW);

    hapax.settle(effect(EffectState.REVIEW).id(), Settlement.happened(LARGE, "found it", "ada"));

    assertThat(run.await().key()).isEqualTo(LARGE);
    assertThat(effect(EffectState.DONE).result()).isEqualTo(refOf(LARGE));
  }

  @Test
  void a_large_value_of_the_durable_map_comes_back() {
    hapax.kv().put("large", LARGE);
    Flow<Order, Receipt> flow =
        orders("kv")
            .body(
                (run, order) -> {
                  String got = String.valueOf(run.kv().get("get", "large").value(String.class));
                  run.kv().put("put", "larger", got + got);
                  run.sleep("pause", Duration.ofHours(1));
                  return new Receipt(order.id(), String.valueOf(got.length()));
                });
    register(flow);
    RunHandle<Receipt> run = hapax.start(flow, order("A-1"));
    awaitReleased(run);
    hapax.kv().delete("large");

    moveAndAwait(Duration.ofHours(1), () -> isEnded(run));

    assertThat(run.await().key()).isEqualTo("100000");
    assertThat(hapax.kv().get("larger").value(String.class)).isEqualTo(LARGE + LARGE);
    assertThat(hapax.kv().list("", null, 10).getFirst().value()).isEqualTo(refOf(LARGE + LARGE));
  }

  @Test
  void a_value_stays_as_long_as_a_run_or_an_effect_refers_to_it() {
    var sent = new AtomicInteger();
    Effect<?> effect = Effect.create("K").keyed(Duration.ofHours(24)).name("shared");
    Flow<Order, String> flow = reporting("kept", effect, sent);
    register(flow);
    RunHandle<String> run = hapax.start(flow, order("A-1"));
    run.await();
    String ref = refOf(LARGE);
    time.move(Duration.ofDays(2));

    commit(new Change.CollectResources(10));
    assertThat(hapax.resources().find(ref)).isNotNull();
    commit(new Change.DropReferences(hapax.run(run.id()).number()));
    commit(new Change.CollectResources(10));
    assertThat(hapax.resources().find(ref)).isNotNull();

    commit(new Change.DropReferences(effect(EffectState.DONE).number()));
    commit(new Change.CollectResources(10));
    assertThat(hapax.resources().find(ref)).isNull();
  }

  @Test
  void from_outside_a_value_is_put_once_and_kept_by_the_run_that_gets_its_reference() {
    String ref = hapax.resources().put(BYTES, "text/plain");
    assertThat(hapax.resources().put(BYTES, "application/pdf")).isEqualTo(ref);
    assertThat(ref).isEqualTo(ResourceRef.to(BYTES).toString());
    Resource found = hapax.resources().get(ref);
    assertThat(found.contentType()).isEqualTo("text/plain");
    assertThat(found.bytes()).isEqualTo(BYTES);
    Flow<Order, Receipt> flow =
        orders("reader")
            .body(
                (run, order) -> {
                  run.sleep("pause", Duration.ofDays(3));
                  return new Receipt(order.id(), run.resource(order.id()).text());
                });
    register(flow);
    RunHandle<Receipt> run = hapax.start(flow, order(ref));
    awaitReleased(run);

    time.move(Duration.ofDays(2));
    commit(new Change.CollectResources(10));
    moveAndAwait(Duration.ofDays(1), () -> isEnded(run));

    assertThat(run.await().key()).isEqualTo("a letter");
  }

  @Test
  void a_value_that_a_destination_got_by_its_reference_alone_is_collected_after_a_day() {
    String ref = hapax.resources().put(BYTES, "text/plain");
    time.move(Duration.ofHours(25));
    commit(new Change.CollectResources(10));

    assertThatThrownBy(() -> hapax.resources().get(ref))
        .isInstanceOf(ResourceNotFound.class)
        .hasMessageContaining(ref);
  }

  @Test
  void bad_input_is_refused_in_words() {
    for (String bad :
        List.of(
            "", "res://", "res://abc", UNKNOWN + "0", UNKNOWN.replace('0', 'A'), "x" + UNKNOWN)) {
      assertThatThrownBy(() -> hapax.resources().get(bad))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("expected 'res://' and 64 characters");
    }
    assertThat(hapax.resources().find(UNKNOWN)).isNull();
    assertThatThrownBy(() -> hapax.resources().put(BYTES, "text"))
        .hasMessageContaining("content type");
    assertThatThrownBy(() -> hapax.resources().put(new byte[(64 << 20) + 1], "text/plain"))
        .hasMessageContaining("too large");
  }

  @Test
  void a_body_reads_at_once_what_it_has_kept() {
    Flow<Order, Receipt> flow =
        orders("at-once")
            .body(
                (run, order) -> {
                  String ref = run.resource("letter", letter(1), "text/plain");
                  return new Receipt(order.id(), run.resource(ref).text());
                });
    register(flow);

    assertThat(hapax.start(flow, order("A-1")).await().key()).contains("letter 1");
  }

  @Test
  void a_body_with_a_bad_reference_or_value_fails_in_words() {
    Flow<Order, Receipt> reader =
        orders("bad-ref")
            .body((run, order) -> new Receipt(order.id(), run.resource(order.id()).text()));
    Flow<Order, Receipt> writer =
        orders("too-large")
            .body(
                (run, order) -> {
                  run.resource("put", new byte[(64 << 20) + 1], "text/plain");
                  return new Receipt(order.id(), "");
                });
    register(reader);
    register(writer);

    assertThatThrownBy(hapax.start(reader, order(UNKNOWN))::await)
        .hasMessageContaining("there is no resource");
    assertThatThrownBy(hapax.start(reader, order("res://abc"))::await)
        .hasMessageContaining("expected 'res://'");
    assertFails(hapax.start(writer, order("A-1")), "too-large");
  }

  @Test
  void a_text_that_looks_like_a_reference_stays_a_text() {
    Flow<Order, String> flow =
        Flow.of("looks", Order.class, String.class)
            .key(Order::id)
            .body((run, _) -> run.step("text", () -> UNKNOWN, String.class));
    register(flow);

    assertThat(hapax.start(flow, order("A-1")).await()).isEqualTo(UNKNOWN);
  }

  private static byte[] letter(int number) {
    return ("letter " + number).getBytes(StandardCharsets.UTF_8);
  }

  /** A flow of one effect with a large result, whose length is the output. */
  private static Flow<Order, String> reporting(String name, Effect<?> effect, AtomicInteger sent) {
    return Flow.of(name, Order.class, String.class)
        .key(Order::id)
        .body(
            (run, _) -> {
              String report =
                  run.effect(
                      "report",
                      effect,
                      _ -> {
                        sent.incrementAndGet();
                        return LARGE;
                      },
                      String.class);
              return String.valueOf(report.length());
            });
  }

  private static String refOf(String value) {
    return ResourceRef.to(Json.write(value).getBytes(StandardCharsets.UTF_8)).toString();
  }

  private static boolean stores(Batch batch) {
    return batch.groups().stream()
        .flatMap(group -> group.changes().stream())
        .anyMatch(Change.StoreResource.class::isInstance);
  }

  private boolean isEnded(RunHandle<?> run) {
    return hapax.run(run.id()).status() == RunStatus.SUCCEEDED;
  }

  private String output(RunHandle<?> run) {
    Run row = hapax.run(run.id());
    return String.valueOf(row.output());
  }

  private final AtomicLong lastOp = new AtomicLong();

  /** As the retention does, beside the engine. */
  private void commit(Change change) {
    var now = time.ports().clock().now();
    long op = IdSource.firstAt(now) + lastOp.incrementAndGet();
    process.commit(
        new Batch(List.of(new Group(op, now, new Head.Always(), List.of(change), null))));
  }
}
