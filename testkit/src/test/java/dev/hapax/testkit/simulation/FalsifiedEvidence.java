package dev.hapax.testkit.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.run.journal.JournalRow;
import dev.hapax.store.Store;
import dev.hapax.store.StoredRun;
import dev.hapax.testkit.promise.ClientCall;
import dev.hapax.testkit.promise.Evidence;
import dev.hapax.testkit.promise.Promise;
import dev.hapax.testkit.promise.Sending;
import dev.hapax.testkit.promise.StepCall;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;

/** True evidence that is made false in one place: a checker must see that. */
@Tag("simulation")
abstract class FalsifiedEvidence {
  static final int SEEDS = 60;

  /** Made false where it can be; null where a seed has nothing to falsify. */
  @FunctionalInterface
  interface Falsification {
    @Nullable Evidence of(Evidence truth);
  }

  static void sees(Promise promise, Falsification falsification) {
    sees(Generator.CORE, promise, falsification);
  }

  static void sees(Generator generator, Promise promise, Falsification falsification) {
    int seen = 0;
    for (long seed = 1; seed <= SEEDS; seed++) {
      Evidence truth = Simulation.run(generator, Choices.of(seed), Mutation.NONE, false).evidence();
      Evidence lie = promise.brokenBy(truth).isEmpty() ? falsification.of(truth) : null;
      if (lie != null) {
        assertThat(promise.brokenBy(lie)).as("seed " + seed).isNotEmpty();
        seen++;
      }
    }
    assertThat(seen).isPositive();
  }

  // ---- how evidence is falsified

  static Evidence with(
      Evidence truth, List<Sending> sendings, List<StepCall> stepCalls, List<ClientCall> calls) {
    return new Evidence(
        truth.store(), truth.tenant(), sendings, stepCalls, calls, truth.observations());
  }

  /** The same store with other journal rows. */
  static @Nullable Evidence withJournal(
      Evidence truth, Predicate<JournalRow> which, UnaryOperator<JournalRow> change) {
    boolean any =
        truth.runs().stream()
            .flatMap(run -> truth.store().journal(run.number()).stream())
            .anyMatch(which);
    if (!any) {
      return null;
    }
    UnaryOperator<List<JournalRow>> all =
        rows -> rows.stream().map(row -> which.test(row) ? change.apply(row) : row).toList();
    Store store =
        (Store)
            Proxy.newProxyInstance(
                Store.class.getClassLoader(),
                new Class<?>[] {Store.class},
                (_, method, arguments) -> {
                  try {
                    Object answer = method.invoke(truth.store(), arguments);
                    return switch (method.getName()) {
                      case "journal" -> all.apply(truth.store().journal((Long) arguments[0]));
                      case "load" ->
                          answer instanceof StoredRun(var run, var seq, var rows)
                              ? new StoredRun(run, seq, all.apply(rows))
                              : answer;
                      default -> answer;
                    };
                  } catch (InvocationTargetException e) {
                    throw e.getCause();
                  }
                });
    return new Evidence(
        store,
        truth.tenant(),
        truth.sendings(),
        truth.stepCalls(),
        truth.calls(),
        truth.observations());
  }
}
