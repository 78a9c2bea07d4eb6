package dev.hapax.app.desk;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.Hapax;
import dev.hapax.HapaxOptions;
import dev.hapax.app.receipt.ReceiptPage;
import dev.hapax.app.receipt.SignedReceipt;
import dev.hapax.flow.EffectKey;
import dev.hapax.flow.EffectReceipt;
import dev.hapax.flow.EffectState;
import dev.hapax.flow.ExpiredEffect;
import dev.hapax.flow.Kind;
import dev.hapax.json.Json;
import dev.hapax.testkit.memory.MemoryStore;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A receipt of an effect whose record has expired says what is known, and proves nothing. */
@SuppressWarnings("MemberName") // the names of tests are sentences
class ExpiredReceiptTest {
  private final Hapax hapax = Hapax.open(new MemoryStore(), HapaxOptions.DEFAULT);

  @AfterEach
  void close() {
    hapax.close();
  }

  @Test
  void nothing_of_an_expired_effect_is_proven() {
    for (EffectState state :
        List.of(EffectState.DONE, EffectState.FAILED, EffectState.UNDONE, EffectState.ABANDONED)) {
      var left =
          new ExpiredEffect(
              "e-1",
              new EffectKey("default", "order/charge", "A-1", null),
              Kind.CREATE,
              state,
              2,
              null,
              "ch_1");

      EffectReceipt receipt = hapax.receipts().of(left).at("{\"number\": 1}");

      assertThat(receipt.verdict().proven()).isFalse();
      assertThat(receipt.verdict().says()).contains("record");
      assertThat(receipt.effect().revision()).isEqualTo(2);
      assertThat(receipt.effect().externalId()).isEqualTo("ch_1");
      assertThat(receipt.effect().wireKey()).isEqualTo(left.wireKey());
      String page = ReceiptPage.of(new SignedReceipt(Json.tree(Json.write(receipt)), "k", "s"));
      assertThat(page).contains("Not proven", "ch_1", "its record has expired");
    }
  }
}
