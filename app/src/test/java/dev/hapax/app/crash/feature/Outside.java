package dev.hapax.app.crash.feature;

import dev.hapax.app.crash.feature.Door.Wish;
import dev.hapax.flow.Decision;
import dev.hapax.flow.WaitState;
import dev.hapax.json.Json;
import dev.hapax.testkit.fault.Arrival;
import dev.hapax.testkit.fault.ChildProcess;
import dev.hapax.testkit.fault.SinkFaults;
import dev.hapax.testkit.fault.SinkLog;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * The systems and people outside, which outlive every process: they answer early, two at once,
 * again in a later life, late, and with a token that was never issued. They settle by what the
 * destination has, and remember every report. For one thread.
 */
final class Outside {
  private static final List<Decision.Choice> WITHOUT_REWORK =
      List.of(Decision.Choice.APPROVE, Decision.Choice.REJECT);
  private static final List<Decision.Choice> WITH_REWORK =
      List.of(Decision.Choice.APPROVE, Decision.Choice.REJECT, Decision.Choice.REWORK);

  private static final String STRANGE_TOKEN = "nobody-handed-this-out";

  private final SinkLog.Tail log;
  private final SplittableRandom random;
  private final Map<String, String> caseOfToken = new LinkedHashMap<>();
  private final Set<String> sent = new HashSet<>();
  private final Map<Saying, @Nullable Receipt> sayings = new LinkedHashMap<>();
  private final List<List<String>> reports = new ArrayList<>();
  private final Set<String> askedInThisLife = new HashSet<>();
  private final Set<String> everAnswered = new HashSet<>();
  private Set<String> answered = new LinkedHashSet<>();
  private int heardLines;
  private int sayingCount;

  /** What was said to whom, JSON text. No two are alike. */
  record Saying(String target, String said) {}

  /** What came back. */
  record Receipt(WaitState state, boolean isFirst, @Nullable String counts) {}

  Outside(SinkLog.Tail log, long seed) {
    this.log = log;
    this.random = new SplittableRandom(seed);
  }

  /** A new process has started: callers that were answered in the last one repeat themselves. */
  void greet(ChildProcess child) {
    heardLines = 0;
    askedInThisLife.clear();
    Set<String> before = answered;
    answered = new LinkedHashSet<>();
    before.forEach(target -> sayAgain(child, target));
    child.say(Wish.ANSWER.line(STRANGE_TOKEN, "strange"));
  }

  /** Hears what is new, and does what is to be done about it. */
  void heartbeat(ChildProcess child) throws IOException {
    for (Arrival arrival : log.next()) {
      arrived(arrival);
    }
    List<String> lines = child.lines();
    for (String line : lines.subList(heardLines, lines.size())) {
      hear(child, Report.words(line));
    }
    heardLines = lines.size();
    caseOfToken.forEach((token, key) -> answerIfWanted(child, token, key));
  }

  private void arrived(Arrival arrival) {
    List<String> word = List.of(arrival.key().split(" ", -1));
    if (arrival.fault() != SinkFaults.Fault.REFUSED) {
      sent.add(word.get(0) + " " + word.get(1));
    }
    if (word.getFirst().equals("invoice")) {
      caseOfToken.put(word.get(2), word.get(1));
    }
  }

  private void hear(ChildProcess child, List<String> word) {
    if (Arrays.stream(Report.values()).anyMatch(what -> what.isIn(word))) {
      reports.add(word); // what else there is are last words, or those of its reader
    }
    if (Report.ASKS.isIn(word)) {
      decide(child, word.get(1), word.get(2), Boolean.parseBoolean(word.get(3)));
    } else if (Report.REVIEW.isIn(word)) {
      boolean happened = sent.contains(word.get(2) + " " + word.get(3));
      child.say(Wish.SETTLE.line(word.get(1), Boolean.toString(happened), nextActor()));
    } else if (Report.PARTIAL.isIn(word)) {
      child.say(Wish.HEAL.line(word.get(1), word.get(2), nextActor()));
    } else if (Report.HEARD.isIn(word)) {
      heard(word);
    } // all else is for the oracle
  }

  private void heard(List<String> word) {
    String counts = word.get(5);
    sayings.put(
        new Saying(word.get(1), word.get(2)),
        new Receipt(
            WaitState.valueOf(word.get(3)),
            Boolean.parseBoolean(word.get(4)),
            counts.isEmpty() ? null : counts));
    answered.add(word.get(1));
    everAnswered.add(word.get(1));
  }

  /** Two people at once, who may want different things. */
  private void decide(ChildProcess child, String approval, String offer, boolean canRework) {
    if (!Case.of(offer).isIgnored()) {
      sayDecision(child, approval, canRework);
      sayDecision(child, approval, canRework);
    }
  }

  private void sayDecision(ChildProcess child, String approval, boolean canRework) {
    List<Decision.Choice> choices = canRework ? WITH_REWORK : WITHOUT_REWORK;
    Decision.Choice choice = choices.get(random.nextInt(choices.size()));
    String actor = nextActor();
    say(
        child,
        Wish.DECIDE,
        approval,
        Json.write(new Decision(choice, actor, "comment-of-" + actor, null)));
  }

  /** Systems that have not heard that they were heard; two answers at once. */
  private void answerIfWanted(ChildProcess child, String token, String key) {
    if (!Case.of(key).isIgnored() && !everAnswered.contains(token) && askedInThisLife.add(token)) {
      sayAgain(child, token);
      sayAgain(child, token);
    }
  }

  /** Answers all tokens once more, also those whose wait has expired. */
  void sayLate(ChildProcess child) {
    answered.clear();
    caseOfToken.keySet().forEach(token -> sayAgain(child, token));
  }

  /** Whether all of them have been heard. */
  boolean isHeardLate() {
    return answered.containsAll(caseOfToken.keySet());
  }

  private void sayAgain(ChildProcess child, String target) {
    if (caseOfToken.containsKey(target)) {
      say(child, Wish.ANSWER, target, "value-" + ++sayingCount);
    } else {
      sayDecision(child, target, false);
    }
  }

  private void say(ChildProcess child, Wish wish, String target, String what) {
    if (child.say(wish.line(target, what))) {
      String said = wish == Wish.ANSWER ? Json.write(what) : what;
      sayings.putIfAbsent(new Saying(target, said), null);
    }
  }

  private String nextActor() {
    return "actor-" + ++sayingCount;
  }

  Map<Saying, @Nullable Receipt> sayings() {
    return sayings;
  }

  /** All lines that processes have reported, as words. */
  List<List<String>> reports() {
    return reports;
  }

  /** Those of this sort. */
  List<List<String>> reports(Report what) {
    return reports.stream().filter(what::isIn).toList();
  }
}
