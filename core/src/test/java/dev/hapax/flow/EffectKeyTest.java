package dev.hapax.flow;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HexFormat;
import org.junit.jupiter.api.Test;

/**
 * The golden keys were computed by another program. Destinations remember wire keys: a change of
 * them would send every effect that is under way a second time.
 */
class EffectKeyTest {
  private static final RunId RUN = RunId.of("acme", "charge-order", "A-1001", null);
  private static final EffectKey CHARGE = new EffectKey("acme", "charge", "A-1001", null);
  private static final EffectKey MAIL = new EffectKey("acme", "mail", "A-1001", null);
  private static final EffectKey ADDITIVE = new EffectKey("acme", "charge", "A-1001", RUN);

  @Test
  void the_wire_key_of_an_intent_never_changes() {
    assertThat(CHARGE.onWire(1)).isEqualTo("x35dzdi7xpy3nogtibiuyiqu6czmskud");
    assertThat(CHARGE.onWire(2)).isEqualTo("fobtb7tugtsbi57saio2asfvvhyfk6nt");
    assertThat(ADDITIVE.onWire(1)).isEqualTo("wc64udzodbiqn5u74uclwenwjmujhjrt");
  }

  @Test
  void the_ledgers_hash_of_a_key_never_changes() {
    assertThat(hex(CHARGE)).isEqualTo("32675190aa1fda70f669a783d80d030eaf3257519d9bffe4");
    assertThat(hex(MAIL)).isEqualTo("32675190aa1fda70f669a783d80d030ee6587291ced06221");
    assertThat(hex(ADDITIVE)).isEqualTo("cfaa8e877b159e93b03e6a111eee2adcaf3257519d9bffe4");
  }

  @Test
  void effects_of_one_business_key_lie_side_by_side() {
    assertThat(hex(CHARGE).substring(0, 32)).isEqualTo(hex(MAIL).substring(0, 32));
  }

  @Test
  void every_part_of_the_intent_makes_another_wire_key() {
    assertThat(
            new String[] {
              CHARGE.onWire(1),
              CHARGE.onWire(2),
              MAIL.onWire(1),
              ADDITIVE.onWire(1),
              new EffectKey("globex", "charge", "A-1001", null).onWire(1),
              new EffectKey("acme", "charge", "A-1002", null).onWire(1),
            })
        .doesNotHaveDuplicates()
        .allMatch(key -> key.matches("[a-z2-7]{32}"));
  }

  @Test
  void two_intents_cannot_meet_by_joining() {
    var one = new EffectKey("acme", "charge", "A-1", null);
    var other = new EffectKey("acme", "chargeA", "-1", null);
    var third = new EffectKey("acm", "echarge", "A-1", null);

    assertThat(one.onWire(1)).isNotEqualTo(other.onWire(1)).isNotEqualTo(third.onWire(1));
    assertThat(new EffectKey("acme", "charge", "A-", null).onWire(11)).isNotEqualTo(one.onWire(1));
    assertThat(hex(one)).isNotEqualTo(hex(other)).isNotEqualTo(hex(third));
  }

  @Test
  void an_effects_id_is_read_as_it_is_shown() {
    long number = 1_900_000_000_000L << 20;

    assertThat(EffectRecord.number(EffectRecord.id(number))).isEqualTo(number);
  }

  private static String hex(EffectKey key) {
    return HexFormat.of().formatHex(key.hash());
  }
}
