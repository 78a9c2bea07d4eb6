package dev.hapax.trial.recording;

import dev.hapax.trial.sandbox.AnswerBook;
import dev.hapax.trial.sandbox.SandboxAnswer;
import dev.hapax.trial.sandbox.SandboxRequest;
import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Answers requests from recordings, each with the next of its recorded answers; what was not
 * recorded is made up. Lookups are not recorded: the sandbox answers them by what has happened.
 * Says once per request what has no recording. Safe for many threads.
 */
public final class RecordedBook implements AnswerBook {
  private static final int MOST_SAID = 1_000;

  private final Recordings recordings;
  private final Consumer<String> notes;
  private final Map<String, Integer> counts = new HashMap<>();
  private final Set<String> said = new HashSet<>();

  /**
   * Creates a book that begins with each first answer.
   *
   * @param notes hears which requests of recorded destinations have no recording
   */
  public RecordedBook(Recordings recordings, Consumer<String> notes) {
    this.recordings = recordings;
    this.notes = notes;
  }

  @Override
  public synchronized SandboxAnswer answerTo(SandboxRequest request) {
    Recordings.Found found;
    try {
      found = recordings.find(request);
    } catch (IOException e) {
      say("%s: the sandbox makes up the answers".formatted(e.getMessage()));
      return SandboxAnswer.USUAL;
    }
    if (found == null) {
      return SandboxAnswer.USUAL;
    }
    if (found.exchange() == null) {
      say(unmatched(request, found));
      return SandboxAnswer.USUAL;
    }
    List<SandboxAnswer> answers = Recordings.answers(found.exchange());
    int count =
        counts.merge(
            found.file() + "\n" + found.exchange().request().fingerprint() + found.asked().shown(),
            1,
            Integer::sum);
    return answers.get(Math.min(count, answers.size()) - 1);
  }

  private String unmatched(SandboxRequest request, Recordings.Found found) {
    return "%s: %s has no recording in %s, so the sandbox makes up an answer. Record it with 'hapax dev --record', or remove \"fingerprint\" of a recorded request there that fits with any body"
        .formatted(request.from().step(), found.asked().shown(), recordings.shown(found.file()));
  }

  private void say(String note) {
    if (said.size() < MOST_SAID && said.add(note)) {
      notes.accept(note);
    }
  }
}
