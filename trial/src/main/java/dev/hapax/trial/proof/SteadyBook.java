package dev.hapax.trial.proof;

import dev.hapax.trial.cases.CaseBook;
import dev.hapax.trial.cases.TestCase;
import dev.hapax.trial.recording.RecordedBook;
import dev.hapax.trial.recording.Recordings;
import dev.hapax.trial.sandbox.AnswerBook;
import dev.hapax.trial.sandbox.RequestOrigin;
import dev.hapax.trial.sandbox.SandboxAnswer;
import dev.hapax.trial.sandbox.SandboxRequest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The answers of a case, for runs in which requests are repeated. A case lists answers in the order
 * of the requests. A request that is only repeated because something went wrong must not take the
 * answer of the next one: an effect gets the answers that it got in the undisturbed run, and a read
 * gets the answer after those that the run has recorded. Safe for many threads.
 */
final class SteadyBook implements AnswerBook {
  private final TestCase of;
  private final CaseBook book;
  private final Recorded recorded;
  private final Recordings recordings;
  private final @Nullable SteadyBook undisturbed;
  private final Map<String, List<SandboxAnswer>> effects = new HashMap<>();
  private final Map<String, Integer> sent = new HashMap<>();
  private final Map<String, Integer> reads = new HashMap<>();

  /** Counts the answers to a read step that a run has recorded. */
  @FunctionalInterface
  interface Recorded {
    int answers(String run, String step, @Nullable String item);
  }

  /**
   * @param undisturbed the book of the run in which nothing went wrong; null if this is the one
   */
  SteadyBook(
      TestCase of, Recordings recordings, @Nullable SteadyBook undisturbed, Recorded recorded) {
    this.of = of;
    this.recordings = recordings;
    this.book = new CaseBook(of, new RecordedBook(recordings, _ -> {}));
    this.undisturbed = undisturbed;
    this.recorded = recorded;
  }

  /** Another process begins: answers that were not recorded are forgotten. */
  synchronized void anotherProcess() {
    reads.clear();
  }

  @Override
  public synchronized SandboxAnswer answerTo(SandboxRequest request) {
    return request.from().isEffect() ? toEffect(request) : toRead(request);
  }

  private SandboxAnswer toEffect(SandboxRequest request) {
    String key = request.from().wireKey();
    int time = sent.merge(key, 1, Integer::sum);
    List<SandboxAnswer> given = undisturbed == null ? List.of() : undisturbed.answersTo(key);
    SandboxAnswer answer =
        given.isEmpty() ? book.answerTo(request) : given.get(Math.min(time, given.size()) - 1);
    effects.computeIfAbsent(key, _ -> new ArrayList<>()).add(answer);
    return answer;
  }

  private synchronized List<SandboxAnswer> answersTo(String wireKey) {
    return effects.getOrDefault(wireKey, List.of());
  }

  private SandboxAnswer toRead(SandboxRequest request) {
    RequestOrigin from = request.from();
    List<TestCase.Answer> all = of.answers().getOrDefault(from.step(), List.of());
    boolean isPerItem = all.stream().anyMatch(answer -> answer.item() != null);
    String item = isPerItem ? from.item() : null;
    List<SandboxAnswer> given =
        all.stream()
            .filter(answer -> TestCase.isItem(answer.item(), from.item()))
            .map(TestCase.Answer::answer)
            .toList();
    List<SandboxAnswer> answers = given.isEmpty() ? recordings.answersTo(request) : given;
    if (answers.isEmpty()) {
      return SandboxAnswer.USUAL;
    }
    String counted = from.run() + "\n" + from.step() + "\n" + item;
    Integer before = reads.get(counted);
    int number = before == null ? recorded.answers(from.run(), from.step(), item) : before;
    reads.put(counted, number + 1);
    return answers.get(Math.min(number, answers.size() - 1));
  }

  @Override
  public SandboxAnswer lookup(SandboxRequest request, boolean isThere) {
    return book.lookup(request, isThere);
  }
}
