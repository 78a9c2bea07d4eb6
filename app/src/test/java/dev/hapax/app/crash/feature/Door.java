package dev.hapax.app.crash.feature;

import static java.util.Objects.requireNonNullElse;

import dev.hapax.Approvals;
import dev.hapax.Callbacks;
import dev.hapax.Hapax;
import dev.hapax.Settlement;
import dev.hapax.Verdict;
import dev.hapax.flow.Decision;
import dev.hapax.flow.NotFound;
import dev.hapax.flow.NotPossible;
import dev.hapax.json.Json;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/** The door for the parties outside: does what they ask, and reports when it is durable. */
record Door(Hapax hapax, CountDownLatch closing) {
  /** With an order's key, the entry in the durable map that says that the order was handled. */
  static final String HEALED = "healed/";

  Door(Hapax hapax) {
    this(hapax, new CountDownLatch(1));
  }

  /** What can be wished; a line each, with tabs between its words. */
  enum Wish {
    /** A token and a value. */
    ANSWER,
    /** An approval's id and a decision as JSON text. */
    DECIDE,
    /** An effect's id, whether it happened, and who says so. */
    SETTLE,
    /** A run's id, its key, and who has seen to it. */
    HEAL,
    CLOSE;

    String line(String... words) {
      return name() + "\t" + String.join("\t", words);
    }
  }

  void ask(String line) {
    List<String> word = Report.words(line);
    try {
      switch (Wish.valueOf(word.getFirst())) {
        case ANSWER -> answer(word.get(1), word.get(2));
        case DECIDE -> decide(word.get(1), word.get(2));
        case SETTLE -> settle(word.get(1), Boolean.parseBoolean(word.get(2)), word.get(3));
        case HEAL -> heal(word.get(1), word.get(2), word.get(3));
        case CLOSE -> closing.countDown();
      }
    } catch (NotPossible e) {
      // Another caller was faster, perhaps in an earlier process; its decision counts.
    } catch (RuntimeException e) {
      Report.PROBLEM.say(line, e);
    }
  }

  void awaitClosing() throws InterruptedException {
    closing.await();
  }

  private void answer(String token, String value) {
    try {
      Callbacks.Receipt receipt = hapax.callbacks().answer(token, value);
      heard(token, Json.write(value), receipt.state(), receipt.isFirst(), receipt.value());
    } catch (NotFound e) {
      Report.STRANGER.say(token);
    }
  }

  private void decide(String id, String decision) {
    Decision said = Json.read(decision, Decision.class);
    var verdict =
        new Verdict(
            said.decision(),
            requireNonNullElse(said.by(), "nobody"),
            Set.of(),
            said.comment(),
            said.values());
    Approvals.Receipt receipt = hapax.approvals().decide(id, verdict);
    Decision counts = receipt.decision();
    heard(
        id,
        decision,
        receipt.state(),
        receipt.isFirst(),
        counts == null ? null : Json.write(counts));
  }

  private static void heard(
      String target, String said, Object state, boolean isFirst, @Nullable String counts) {
    Report.HEARD.say(target, said, state, isFirst, requireNonNullElse(counts, ""));
  }

  private void settle(String effect, boolean happened, String actor) {
    hapax.settle(
        effect,
        happened
            ? Settlement.happened(null, "it is in the destination's log", actor)
            : Settlement.notHappened("it is not in the destination's log", actor));
    Report.DONE.say(effect, actor);
  }

  private void heal(String run, String key, String actor) {
    hapax.kv().put(HEALED + key, true);
    hapax.retry(run, actor);
    Report.DONE.say(run, actor);
  }
}
