package dev.hapax.engine.tests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.RunHandle;
import dev.hapax.flow.Each;
import dev.hapax.flow.Effect;
import dev.hapax.flow.EffectPast;
import dev.hapax.flow.EffectReceipt;
import dev.hapax.flow.EffectRecord;
import dev.hapax.flow.Flow;
import dev.hapax.flow.HistoryEntry;
import dev.hapax.flow.NotApplied;
import dev.hapax.flow.RetryPolicy;
import dev.hapax.flow.RunStatus;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Reviews and receipts of a run with a long history are complete, and cost one reading of it. */
@SuppressWarnings("MemberName") // the names of tests are sentences
class LongHistoryTest extends EngineTest {
  private static final int ITEMS = 60;

  /** More lines than were once read of a run. */
  private static final int MANY = 20_100;

  @Test
  void a_page_of_reviews_reads_the_journal_of_their_run_once() {
    RunHandle<Receipt> run = hapax.start(mails(0, ITEMS), order("A-1"));
    awaitStatus(run, RunStatus.REVIEW);
    List<EffectRecord> reviews = reviewsOf(run);
    int whole = journalOf(run);
    int before = process.rowsRead();

    Map<Long, Instant> since = hapax.reviews().since(reviews);

    assertThat(reviews).hasSize(ITEMS);
    assertThat(since).hasSize(ITEMS);
    assertThat(process.rowsRead() - before).isLessThanOrEqualTo(whole);
  }

  @Test
  void an_effect_at_the_end_of_a_long_history_has_its_evidence() {
    RunHandle<Receipt> run = hapax.start(mails(MANY, 1), order("A-1"));
    awaitStatus(run, RunStatus.REVIEW);
    EffectRecord review = reviewsOf(run).getFirst();

    EffectPast past = hapax.reviews().past(review);
    EffectReceipt receipt =
        Objects.requireNonNull(hapax.receipts().find(review.key().name(), review.key().key()));

    assertThat(past.lines()).extracting(HistoryEntry::type).containsExactly("intent", "review");
    assertThat(past.since()).isNotNull();
    assertThat(receipt.attempts()).hasSize(1);
    assertThat(receipt.caveats()).isEmpty();
    assertThat(hapax.reviews().since(List.of(review))).containsKey(review.number());
  }

  /** The lines in the middle of an effect with very many attempts are counted, and not kept. */
  @Test
  void a_receipt_of_very_many_attempts_says_which_it_leaves_out() {
    var attempts = new AtomicInteger();
    Flow<Order, Receipt> flow =
        register(
            charging(
                "stubborn",
                order ->
                    create(order)
                        .keyed()
                        .retry(
                            new RetryPolicy(
                                1_000,
                                Duration.ofSeconds(1),
                                1,
                                Duration.ofSeconds(1),
                                0,
                                Duration.ofDays(30))),
                _ -> {
                  if (attempts.incrementAndGet() <= 400) {
                    throw new NotApplied("busy");
                  }
                  return "ch_1";
                }));
    RunHandle<Receipt> run = hapax.start(flow, order("A-1"));
    moveUntil(Duration.ofSeconds(2), () -> hapax.run(run.id()).status().isEnd());

    EffectReceipt receipt = Objects.requireNonNull(hapax.receipts().find("stubborn/charge", "A-1"));

    assertThat(attempts).hasValue(401);
    assertThat(receipt.verdict().proven()).isTrue();
    assertThat(receipt.attempts().getFirst().number()).isEqualTo(1);
    assertThat(receipt.attempts().getLast().number()).isEqualTo(401);
    assertThat(receipt.attempts().getLast().outcome()).isEqualTo("done");
    assertThat(receipt.caveats()).singleElement().asString().contains("302 lines in the middle");
  }

  private Flow<Order, Receipt> mails(int steps, int items) {
    return register(
        orders("mails")
            .body(
                (run, order) -> {
                  for (int i = 0; i < steps; i++) {
                    run.item("step-" + i).step("count", () -> 1, Integer.class);
                  }
                  run.forEach(
                      "all",
                      Each.of(IntStream.range(0, items).mapToObj(i -> "m" + i).toList(), i -> i)
                          .atOnce(items),
                      (item, one) ->
                          item.effect(
                              "mail",
                              Effect.notify(one).unguarded(),
                              _ -> {
                                throw new IOException("reset");
                              }));
                  return new Receipt(order.id(), "");
                }));
  }

  private List<EffectRecord> reviewsOf(RunHandle<?> run) {
    return hapax.reviews().list(hapax.effects().of(run.run()).limit(200));
  }

  /** How many rows one reading of its journal takes. */
  private int journalOf(RunHandle<?> run) {
    int before = process.rowsRead();
    assertThat(run.history()).isNotEmpty();
    return process.rowsRead() - before;
  }
}
