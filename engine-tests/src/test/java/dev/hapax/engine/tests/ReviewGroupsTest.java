package dev.hapax.engine.tests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.RunHandle;
import dev.hapax.Settlement;
import dev.hapax.flow.Effect;
import dev.hapax.flow.EffectReceipt;
import dev.hapax.flow.EffectRecord;
import dev.hapax.flow.Flow;
import dev.hapax.flow.HistoryEntry;
import dev.hapax.flow.ReviewGroup;
import dev.hapax.flow.RunStatus;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Embedded, a person sees what reviews have in common, and gets receipts of effects. */
@SuppressWarnings("MemberName") // the names of tests are sentences
class ReviewGroupsTest extends EngineTest {
  private Flow<Order, Receipt> mailing(String name, String trouble) {
    return register(
        orders(name)
            .body(
                (run, order) ->
                    run.effect(
                        "mail",
                        Effect.notify(order.id()).unguarded(),
                        _ -> {
                          throw new IOException(trouble);
                        },
                        Receipt.class)));
  }

  private List<RunHandle<Receipt>> inReview(Flow<Order, Receipt> flow, String... orders) {
    List<RunHandle<Receipt>> runs = new ArrayList<>();
    for (String id : orders) {
      runs.add(hapax.start(flow, order(id)));
    }
    runs.forEach(run -> awaitStatus(run, RunStatus.REVIEW));
    return runs;
  }

  @Test
  void reviews_are_grouped_by_what_they_have_in_common() {
    inReview(mailing("mails", "reset by peer 17"), "1", "2", "3");
    inReview(mailing("letters", "closed"), "4");

    List<ReviewGroup> groups = hapax.reviews().causes().groups();

    assertThat(groups)
        .extracting(group -> group.cause().flow())
        .containsExactly("mails", "letters");
    assertThat(groups).extracting(ReviewGroup::count).containsExactly(3L, 1L);
    assertThat(groups.getFirst().examples()).hasSize(3);
    assertThat(groups.getFirst().oldestSentAt()).isNotNull();
    assertThat(hapax.reviews().causes().complete()).isTrue();
    assertThat(
            hapax
                .reviews()
                .causes(owner -> owner != null && owner.flow().equals("letters"))
                .groups())
        .singleElement()
        .satisfies(group -> assertThat(group.cause().error()).contains("closed"));
    assertThat(hapax.tenant("other").reviews().causes().groups()).isEmpty();
  }

  @Test
  void the_history_of_a_review_is_about_its_effect_alone() {
    inReview(mailing("mails", "reset"), "1");

    EffectRecord review = hapax.reviews().list(hapax.effects()).getFirst();

    assertThat(hapax.reviews().history(review))
        .extracting(HistoryEntry::type)
        .containsExactly("intent", "review");
  }

  @Test
  void a_receipt_says_what_is_known_and_who_says_it() {
    RunHandle<Receipt> run = inReview(mailing("mails", "reset"), "1").getFirst();
    EffectReceipt open = receipt("mails/mail", "1");
    assertThat(open.verdict().proven()).isFalse();
    assertThat(open.verdict().says()).contains("a person has to decide");

    hapax.settle(
        open.effect().id(),
        Settlement.happened(new Receipt("1", "m-1"), "seen at the provider", "ada"));
    awaitStatus(run, RunStatus.SUCCEEDED);

    EffectReceipt settled = receipt("mails/mail", "1");
    assertThat(settled.verdict().by()).isEqualTo("person");
    assertThat(settled.decisions())
        .singleElement()
        .satisfies(
            decided -> {
              assertThat(decided.by()).isEqualTo("ada");
              assertThat(decided.reason()).contains("seen at the provider");
            });
    assertThat(settled.checkpoint()).isNull();
    assertThat(hapax.receipts().find("mails/mail", "2")).isNull();
    assertThat(hapax.tenant("other").receipts().find("mails/mail", "1")).isNull();
  }

  private EffectReceipt receipt(String effect, String key) {
    return Objects.requireNonNull(hapax.receipts().find(effect, key));
  }
}
