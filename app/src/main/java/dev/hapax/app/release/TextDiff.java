package dev.hapax.app.release;

import java.util.ArrayList;
import java.util.List;

/**
 * Compares two texts line by line, in the unified format that people and tools read. Pure. A flow
 * file has a few hundred lines, so a plain table of longest common parts is enough.
 */
final class TextDiff {
  private static final int AROUND = 3;

  /** A larger table is not computed; the difference is then shown as one block. */
  private static final int LARGEST_TABLE = 4_000_000;

  private final List<String> from;
  private final List<String> to;
  private final List<Line> lines = new ArrayList<>();

  /** A line of one text or of both; {@code ' '}, {@code '-'} or {@code '+'}. */
  private record Line(char mark, String text, int fromNumber, int toNumber) {}

  private TextDiff(String from, String to) {
    this.from = from.lines().toList();
    this.to = to.lines().toList();
  }

  /** Returns an empty text if they are the same. */
  static String between(String fromName, String from, String toName, String to) {
    var diff = new TextDiff(from, to);
    diff.compare();
    String hunks = diff.hunks();
    return hunks.isEmpty() ? "" : "--- %s\n+++ %s\n%s".formatted(fromName, toName, hunks);
  }

  private void compare() {
    int start = 0;
    while (start < Math.min(from.size(), to.size()) && from.get(start).equals(to.get(start))) {
      add(' ', start, start);
      start++;
    }
    int fromEnd = from.size();
    int toEnd = to.size();
    while (fromEnd > start && toEnd > start && from.get(fromEnd - 1).equals(to.get(toEnd - 1))) {
      fromEnd--;
      toEnd--;
    }
    middle(start, fromEnd, toEnd);
    for (int i = 0; fromEnd + i < from.size(); i++) {
      add(' ', fromEnd + i, toEnd + i);
    }
  }

  private void middle(int start, int fromEnd, int toEnd) {
    int height = fromEnd - start;
    int width = toEnd - start;
    int[][] longest =
        (long) height * width > LARGEST_TABLE ? new int[0][] : table(start, height, width);
    int i = 0;
    int j = 0;
    while (i < height || j < width) {
      boolean both = i < height && j < width;
      if (both && longest.length > 0 && from.get(start + i).equals(to.get(start + j))) {
        add(' ', start + i++, start + j++);
      } else if (j >= width
          || (both && (longest.length == 0 || longest[i + 1][j] >= longest[i][j + 1]))) {
        add('-', start + i++, start + j);
      } else {
        add('+', start + i, start + j++);
      }
    }
  }

  private int[][] table(int start, int height, int width) {
    var longest = new int[height + 1][width + 1];
    for (int i = height - 1; i >= 0; i--) {
      for (int j = width - 1; j >= 0; j--) {
        longest[i][j] =
            from.get(start + i).equals(to.get(start + j))
                ? longest[i + 1][j + 1] + 1
                : Math.max(longest[i + 1][j], longest[i][j + 1]);
      }
    }
    return longest;
  }

  private void add(char mark, int fromIndex, int toIndex) {
    String text = mark == '+' ? to.get(toIndex) : from.get(fromIndex);
    lines.add(new Line(mark, text, fromIndex + 1, toIndex + 1));
  }

  private String hunks() {
    var text = new StringBuilder();
    int at = 0;
    while (at < lines.size()) {
      int first = nextChange(at);
      if (first == lines.size()) {
        break;
      }
      int begin = Math.max(at, first - AROUND);
      int end = first;
      for (int next = first;
          next < lines.size() && next - end <= 2 * AROUND;
          next = nextChange(end)) {
        end = next + 1;
      }
      end = Math.min(lines.size(), end + AROUND);
      hunk(text, lines.subList(begin, end));
      at = end;
    }
    return text.toString();
  }

  private int nextChange(int from) {
    int at = from;
    while (at < lines.size() && lines.get(at).mark() == ' ') {
      at++;
    }
    return at;
  }

  private static void hunk(StringBuilder text, List<Line> part) {
    long removed = part.stream().filter(line -> line.mark() != '+').count();
    long added = part.stream().filter(line -> line.mark() != '-').count();
    text.append(
        "@@ -%d,%d +%d,%d @@\n"
            .formatted(
                removed == 0 ? part.getFirst().fromNumber() - 1 : part.getFirst().fromNumber(),
                removed,
                added == 0 ? part.getFirst().toNumber() - 1 : part.getFirst().toNumber(),
                added));
    part.forEach(line -> text.append(line.mark()).append(line.text()).append('\n'));
  }
}
