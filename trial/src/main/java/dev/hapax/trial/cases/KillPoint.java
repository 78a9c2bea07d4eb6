package dev.hapax.trial.cases;

import dev.hapax.json.Json;
import dev.hapax.run.journal.EffectEntry;
import dev.hapax.run.journal.JournalEntry;
import dev.hapax.store.Batch;
import dev.hapax.store.Group;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A place where the process dies, once.
 *
 * @param attempt how many times the place is reached until then, counted from 1
 */
public record KillPoint(boolean isBefore, Edge edge, String step, int attempt) {
  private static final Pattern FORM =
      Pattern.compile(
          "(before|after) (send|intent|commit)(?: of)? ([A-Za-z][A-Za-z0-9_.-]*)(?: attempt ([1-9][0-9]{0,3}))?");

  /** What is done at the place. */
  public enum Edge {
    /** A request leaves. */
    SEND,
    /** The commit that says that a request is about to leave. */
    INTENT,
    /** The commit of a result: the answer, a doubt, a failure. */
    COMMIT
  }

  /** Returns null if the text has another form. */
  public static @Nullable KillPoint parse(String text) {
    Matcher parts = FORM.matcher(text.strip());
    if (!parts.matches()) {
      return null;
    }
    return new KillPoint(
        parts.group(1).equals("before"),
        Edge.valueOf(parts.group(2).toUpperCase(Locale.ROOT)),
        parts.group(3),
        parts.group(4) == null ? 1 : Integer.parseInt(parts.group(4)));
  }

  /** Whether one of the groups writes what this place is about. */
  boolean isIn(Batch batch) {
    return edge != Edge.SEND && batch.groups().stream().anyMatch(this::isIn);
  }

  private boolean isIn(Group group) {
    String entries = group.entries();
    if (entries == null || !entries.contains(step)) {
      return false;
    }
    for (JournalEntry entry : Json.read(entries, JournalEntry[].class)) {
      if (entry.step() != null
          && entry.step().name().equals(step)
          && isIntent(entry) == isIntent()) {
        return true;
      }
    }
    return false;
  }

  private boolean isIntent() {
    return edge == Edge.INTENT;
  }

  private static boolean isIntent(JournalEntry entry) {
    return entry instanceof EffectEntry.Claimed
        || entry instanceof EffectEntry.Attempted
        || entry instanceof EffectEntry.SentAgain;
  }

  @Override
  public String toString() {
    return (isBefore ? "before " : "after ")
        + edge.name().toLowerCase(Locale.ROOT)
        + (edge == Edge.SEND ? " " : " of ")
        + step
        + (attempt == 1 ? "" : " attempt " + attempt);
  }
}
