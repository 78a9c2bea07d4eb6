package dev.hapax.engine.tests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.Hapax;
import dev.hapax.Once;
import dev.hapax.RunInReview;
import dev.hapax.RunUnfinished;
import dev.hapax.flow.Effect;
import dev.hapax.flow.RetryPolicy;
import dev.hapax.testkit.ProofLimits;
import dev.hapax.testkit.ProofProblem;
import dev.hapax.testkit.ProofReport;
import dev.hapax.testkit.ProofScene;
import dev.hapax.testkit.Prover;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * An effect without a flow, in Java, with each guard that it can have: the process dies at each
 * commit and each request in turn, requests and answers get lost, come late and twice.
 */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@SuppressWarnings("MemberName") // the names of tests are sentences
final class OnceGuardsTest {
  private static final Charge CHARGE = new Charge("A-1", 40);

  record Charge(String order, int cents) {}

  record Receipt(String order) {}

  enum Rule {
    KEYED,
    KEYED_FOR_A_MINUTE,
    UPSERT,
    LOOKUP,
    NONE
  }

  /** A payment service that does what it is asked each time, unless it knows the key. */
  private static final class Psp implements ProofScene {
    private final Rule rule;
    private final List<String> charges = new ArrayList<>(); // guarded by itself

    private volatile @Nullable Once<Charge, Receipt> once; // of the present process

    Psp(Rule rule) {
      this.rule = rule;
    }

    private Effect<Charge> effect(Charge charge) {
      Effect.Draft<Charge> draft =
          rule == Rule.UPSERT
              ? Effect.update(charge.order()).request(charge)
              : Effect.create(charge.order()).request(charge);
      Effect<Charge> effect =
          switch (rule) {
            case KEYED -> draft.keyed();
            case KEYED_FOR_A_MINUTE -> draft.keyed(Duration.ofMinutes(1), this::find);
            case UPSERT -> draft.upsert();
            case LOOKUP -> draft.lookup(this::find, Duration.ofSeconds(1));
            case NONE -> draft.unguarded();
          };
      return effect.retry(
          RetryPolicy.DEFAULT
              .attempts(20)
              .delay(Duration.ofMillis(100))
              .within(Duration.ofHours(20)));
    }

    private Optional<Receipt> find(String key) {
      synchronized (charges) {
        return charges.isEmpty() ? Optional.empty() : Optional.of(new Receipt(CHARGE.order()));
      }
    }

    private Receipt send(String key, Charge charge) {
      synchronized (charges) {
        String known =
            switch (rule) {
              case KEYED, KEYED_FOR_A_MINUTE -> key;
              case UPSERT -> charge.order();
              case LOOKUP, NONE -> key + " " + charges.size();
            };
        if (!charges.contains(known)) {
          charges.add(known);
        }
      }
      return new Receipt(charge.order());
    }

    @Override
    public void register(Hapax hapax) {
      once = hapax.once("charge", Charge.class, Receipt.class, this::effect, this::send);
    }

    @Override
    public Begun start(Hapax hapax) {
      boolean isDuplicate = hapax.runs(hapax.runs()).size() == 1;
      try {
        assertThat(Objects.requireNonNull(once).call(CHARGE, Duration.ZERO))
            .isEqualTo(new Receipt("A-1"));
      } catch (RunUnfinished | RunInReview e) {
        // it goes on, or a person decides
      }
      return new Begun(hapax.runs(hapax.runs()).getFirst().id().toString(), isDuplicate);
    }

    @Override
    public OptionalInt applied(String effect, String key) {
      synchronized (charges) {
        return OptionalInt.of(charges.size());
      }
    }

    @Override
    public void check() {
      assertThat(charges).hasSize(1);
    }
  }

  @ParameterizedTest
  @EnumSource
  void an_effect_happens_once_wherever_its_process_dies(Rule rule) {
    ProofReport proof =
        new Prover(_ -> new Psp(rule), ProofLimits.NONE, Prover.Progress.NONE).prove();

    assertThat(proof.problems()).extracting(ProofProblem::toString).isEmpty();
    assertThat(proof.untried()).isEmpty();
    assertThat(proof.requests()).isEqualTo(1);
    assertThat(proof.runs()).isGreaterThan(5);
    assertThat(proof.reviews() > 0).as("%s", proof).isEqualTo(rule == Rule.NONE);
  }
}
