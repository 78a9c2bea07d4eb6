package dev.hapax.store.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.hapax.ErasureWish;
import dev.hapax.Event;
import dev.hapax.Hapax;
import dev.hapax.HapaxOptions;
import dev.hapax.KeyReused;
import dev.hapax.RunErased;
import dev.hapax.RunFailed;
import dev.hapax.RunHandle;
import dev.hapax.SubjectErasure;
import dev.hapax.SubjectRecord;
import dev.hapax.flow.Effect;
import dev.hapax.flow.EffectState;
import dev.hapax.flow.Flow;
import dev.hapax.flow.Message;
import dev.hapax.flow.NotPossible;
import dev.hapax.flow.Rejected;
import dev.hapax.flow.Restoration;
import dev.hapax.flow.RunStatus;
import dev.hapax.testkit.ManualTime;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is erased for a person is in no file of the store, and is not done a second time. */
class PersonalDataTest {
  private static final String ANN = "ann-canary@example.com";
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @TempDir Path folder;
  private final ManualTime time = new ManualTime();
  private final List<String> sent = new CopyOnWriteArrayList<>();
  private Path file;

  record Order(String id, String mail, String kind) {}

  /** Puts the address wherever a run can put something. */
  private final Flow<Order, String> order =
      Flow.of("order", Order.class, String.class)
          .key(Order::id)
          .subject(Order::mail)
          .searchable("mail", Order::mail)
          .body(
              (run, order) -> {
                run.step("greet", () -> "dear " + order.mail(), String.class);
                run.publish("news", Message.to("news").type("t").data(order.mail()));
                String result =
                    run.effect(
                        "charge",
                        Effect.create("charge/" + order.mail() + order.id().replace("b", ""))
                            .request(order.mail())
                            .keyed(Duration.ofDays(7)),
                        _ -> charge(order),
                        String.class);
                if (order.kind().equals("wait")) {
                  run.sleep("pause", Duration.ofHours(1));
                }
                if (order.kind().equals("large")) {
                  return (order.mail() + " ").repeat(20_000);
                }
                if (order.kind().equals("fail")) {
                  throw new IllegalStateException("no such person: " + order.mail());
                }
                return result;
              });

  private String charge(Order order) {
    sent.add(order.id());
    if (order.kind().equals("reject")) {
      throw new Rejected("declined", "card of " + order.mail() + " refused", null);
    }
    return "charged " + order.mail();
  }

  @BeforeEach
  void nameTheFile() {
    file = folder.resolve("orders.db");
  }

  private Hapax open() {
    Hapax hapax = Hapax.open(file, HapaxOptions.DEFAULT.ports(time.ports()).closeWithin(PATIENCE));
    hapax.register(order);
    hapax.inbox().source("shop", Order.class, order, one -> one);
    hapax.outbox().courier("news", message -> {});
    return hapax;
  }

  @Test
  void the_address_is_in_no_file_after_its_erasure() throws Exception {
    try (Hapax hapax = open()) {
      for (int i = 0; i < 300; i++) {
        hapax.start(order, new Order("N-" + i, "n" + i + "@example.com", "plain")).await(PATIENCE);
        if (i % 60 == 30) {
          String kind = List.of("plain", "large", "fail", "reject", "plain").get(i / 60);
          RunHandle<String> run = hapax.start(order, new Order("A-" + i, ANN, kind));
          eventually(() -> run.run().status().isEnd());
        }
      }
      hapax.inbox().receive(Event.from("shop").id("evt-1").payload(new Order("E-1", ANN, "plain")));
      eventually(() -> hapax.run(hapax.id("order", "E-1")).status().isEnd());
      eventually(() -> hapax.runs(hapax.runs().status(RunStatus.RUNNING)).isEmpty());
      time.move(Duration.ofMinutes(5));
      while (hapax.indexForSearch()) {}
      assertThat(filesWith(ANN)).isNotEmpty();
      List<SubjectRecord> exported = new ArrayList<>();
      hapax.subjects().export(ANN, false, exported::add);
      assertThat(exported.stream().map(SubjectRecord::type))
          .contains("run", "effect", "event", "resource");

      SubjectErasure erasure = hapax.subjects().erase(ANN, "bob", "asked", ErasureWish.DEFAULT);
      eventually(() -> hapax.subjects().erasure(erasure.id()).isDone());

      assertThat(filesWith(ANN)).isEmpty();
      assertThat(hapax.subjects().erasure(erasure.id()).runs()).isGreaterThanOrEqualTo(6);
    }
    assertThat(filesWith(ANN)).isEmpty();
    try (Hapax hapax = open()) {
      RunHandle<String> again = hapax.start(order, new Order("A-30", ANN, "plain"));
      assertThat(again.isDuplicate()).isTrue();
      assertThat(again.run().isErased()).isTrue();
      assertThatThrownBy(again::await).isInstanceOf(RunErased.class);
      assertThatThrownBy(() -> hapax.start(order, new Order("A-30", "x", "plain")))
          .isInstanceOf(KeyReused.class);
      assertThatThrownBy(() -> hapax.retry(hapax.id("order", "A-150"), "bob"))
          .isInstanceOf(NotPossible.class)
          .hasMessageContaining("erased");
      assertThat(hapax.history(again.id()).getLast().type()).isEqualTo("erased");
    }
  }

  @Test
  void an_erased_effect_is_not_sent_again() {
    try (Hapax hapax = open()) {
      hapax.start(order, new Order("A-1", ANN, "plain")).await(PATIENCE);
      erase(hapax);

      RunHandle<String> other = hapax.start(order, new Order("A-1b", ANN, "plain"));

      assertThatThrownBy(() -> other.await(PATIENCE))
          .isInstanceOf(RunFailed.class)
          .hasMessageContaining("effect");
      assertThat(sent).containsExactly("A-1");
    }
  }

  @Test
  void a_run_that_has_not_ended_is_erased_when_it_ends() throws Exception {
    try (Hapax hapax = open()) {
      RunHandle<String> run = hapax.start(order, new Order("A-1", ANN, "wait"));
      eventually(() -> run.run().status() == RunStatus.WAITING);
      var plan = hapax.subjects().plan(ANN, ErasureWish.DEFAULT);
      assertThat(plan.postponed()).isEqualTo(1);

      SubjectErasure erasure = hapax.subjects().erase(ANN, "bob", "asked", ErasureWish.DEFAULT);
      eventually(() -> hapax.run(erasure.run()).status() == RunStatus.WAITING);
      assertThat(run.run().isErased()).isFalse();

      moveUntil(() -> hapax.subjects().erasure(erasure.id()).isDone());
      assertThat(run.run().isErased()).isTrue();
      assertThat(run.run().status()).isEqualTo(RunStatus.SUCCEEDED);
    }
    assertThat(filesWith(ANN)).isEmpty();
  }

  @Test
  void a_restored_backup_loses_the_same_values_before_anything_runs() throws Exception {
    Path backup = folder.resolve("backup.db");
    List<String> list;
    try (Hapax hapax = open()) {
      hapax.start(order, new Order("A-1", ANN, "plain")).await(PATIENCE);
      // Its message has been delivered, too: nothing has to end before an erasure.
      eventually(() -> hapax.subjects().plan(ANN, ErasureWish.DEFAULT).postponed() == 0);
      hapax.backup(backup);
      erase(hapax);
      list = hapax.subjects().erasureList();
    }
    Files.copy(backup, file, StandardCopyOption.REPLACE_EXISTING);

    try (Hapax hapax = open()) {
      assertThat(hapax.restored()).isNotNull();
      assertThat(hapax.run(hapax.id("order", "A-1")).isErased()).isTrue();
      hapax.restore(Restoration.PRODUCTION);
      // At once, unless a reader is in the way of the last bytes of the log.
      moveUntil(() -> hapax.subjects().erasures().getFirst().isDone());
    }

    Path elsewhere = Files.createDirectory(folder.resolve("elsewhere"));
    file = elsewhere.resolve("orders.db");
    Files.move(backup, file);
    try (Hapax hapax = open()) {
      assertThat(hapax.run(hapax.id("order", "A-1")).isErased()).isFalse();
      assertThat(hapax.subjects().restoreErasures(list)).isEqualTo(1);
      assertThat(hapax.subjects().restoreErasures(list)).isZero();
      assertThat(hapax.run(hapax.id("order", "A-1")).isErased()).isTrue();
      assertThatThrownBy(() -> hapax.subjects().restoreErasures(List.of("{}")))
          .hasMessageContaining("list of erasures");
    }
    assertThat(filesWith(ANN)).isEmpty();
  }

  @Test
  void runs_that_declare_no_subject_are_found_by_key_or_by_a_scan() {
    Flow<Order, String> plain =
        Flow.of("plain", Order.class, String.class).key(Order::id).body((run, one) -> one.mail());
    try (Hapax hapax = open()) {
      hapax.register(plain);
      hapax.start(plain, new Order(ANN, "x", "plain")).await(PATIENCE);
      hapax.start(plain, new Order("P-2", ANN, "plain")).await(PATIENCE);

      var found = hapax.subjects().plan(ANN, ErasureWish.DEFAULT);
      assertThat(found.runs()).hasSize(1);
      var scanned = hapax.subjects().plan(ANN, new ErasureWish(true, false));
      assertThat(scanned.runs()).hasSize(2);
      SubjectErasure erasure =
          hapax.subjects().erase(ANN, "bob", "asked", new ErasureWish(true, true));
      eventually(() -> hapax.subjects().erasure(erasure.id()).isDone());

      assertThat(hapax.run(hapax.id("plain", ANN)).isErased()).isTrue();
      assertThat(hapax.run(hapax.id("plain", "P-2")).isErased()).isTrue();
      assertThat(hapax.tenant("other").subjects().erasures()).isEmpty();
    }
  }

  @Test
  void a_reason_that_names_the_person_is_refused() {
    try (Hapax hapax = open()) {
      assertThatThrownBy(
              () -> hapax.subjects().erase(ANN, "bob", "for " + ANN, ErasureWish.DEFAULT))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageNotContaining(ANN);
      assertThat(hapax.effects(hapax.effects().state(EffectState.DONE))).isEmpty();
    }
  }

  private void erase(Hapax hapax) {
    SubjectErasure erasure = hapax.subjects().erase(ANN, "bob", "asked", ErasureWish.DEFAULT);
    moveUntil(() -> hapax.subjects().erasure(erasure.id()).isDone());
  }

  private List<Path> filesWith(String text) throws IOException {
    List<Path> found = new ArrayList<>();
    try (Stream<Path> files = Files.list(file.getParent())) {
      for (Path one : files.filter(Files::isRegularFile).toList()) {
        boolean isBackup = one.endsWith("backup.db");
        if (!isBackup && Files.readString(one, StandardCharsets.ISO_8859_1).contains(text)) {
          found.add(one.getFileName());
        }
      }
    }
    return found;
  }

  private void moveUntil(BooleanSupplier holds) {
    eventually(
        () -> {
          time.move(Duration.ofMinutes(10));
          return holds.getAsBoolean();
        });
  }

  private static void eventually(BooleanSupplier holds) {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (!holds.getAsBoolean()) {
      assertThat(System.nanoTime()).as("it does not come within %s", PATIENCE).isLessThan(end);
      LockSupport.parkNanos(Duration.ofMillis(5).toNanos());
    }
  }
}
