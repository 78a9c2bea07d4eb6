package dev.hapax.testkit;

import dev.hapax.flow.HistoryEntry;
import java.util.List;

/** Shows the end of a history, a line per entry. */
final class HistoryText {
  private static final int MOST = 40;

  private HistoryText() {}

  static String of(List<HistoryEntry> history) {
    int from = Math.max(0, history.size() - MOST);
    var text = new StringBuilder();
    if (from > 0) {
      text.append("\n  %,d lines before".formatted(from));
    }
    history.subList(from, history.size()).forEach(entry -> text.append("\n  ").append(entry));
    return text.toString();
  }
}
