package dev.hapax.flows.format;

import dev.hapax.flows.format.Written.Collection;
import dev.hapax.flows.format.Written.Part;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Writes the tree of a YAML text in the one layout: two spaces a level, lists indented too. */
final class FlowLayout {
  private static final int STEP = 2;

  private final StringBuilder out = new StringBuilder();

  /** Whether the last line belongs to a text block that keeps its empty lines. */
  private boolean keepsBlanks;

  private FlowLayout() {}

  static String of(Collection root) {
    var layout = new FlowLayout();
    layout.collection(root, 0);
    return layout.out.toString();
  }

  private void collection(Collection collection, int indent) {
    boolean first = true;
    for (Part part : collection.parts()) {
      comments(part.lead(), indent, first);
      if (part.isBlankBefore() && !(first && part.lead().isEmpty())) {
        blank();
      }
      part(part, indent, " ".repeat(indent));
      first = false;
    }
    comments(collection.tail(), indent, false);
  }

  private void part(Part part, int indent, String begin) {
    Written value = part.value();
    String head = begin + (part.in().isMapping() ? part.key() + ":" : "-");
    if (part.isJoined() && value instanceof Collection fields) {
      joined(fields, indent + STEP, head + " ");
      return;
    }
    String anchored = head + (value.anchor().isEmpty() ? "" : " " + value.anchor());
    switch (value) {
      case Written.Text text when text.isBlock() -> block(anchored, text, part.trailing(), indent);
      case Written.Text text -> text(anchored, text, part.trailing(), indent);
      case Collection inside when inside.isInline() ->
          line(head + " " + inline(inside), part.trailing());
      case Collection inside -> {
        line(anchored, part.trailing());
        collection(inside, indent + STEP);
      }
    }
  }

  private void joined(Collection fields, int indent, String begin) {
    Part first = fields.parts().getFirst();
    part(first, indent, begin);
    for (Part part : fields.parts().subList(1, fields.parts().size())) {
      comments(part.lead(), indent, false);
      if (part.isBlankBefore()) {
        blank();
      }
      part(part, indent, " ".repeat(indent));
    }
    comments(fields.tail(), indent, false);
  }

  private void text(String head, Written.Text text, @Nullable Comment trailing, int indent) {
    List<String> lines = text.source().lines().toList();
    if (lines.isEmpty()) {
      line(head, trailing);
      return;
    }
    if (lines.size() == 1) {
      line(head + " " + Quotes.of(lines.getFirst()), trailing);
      return;
    }
    line(head + " " + lines.getFirst(), null);
    for (String next : lines.subList(1, lines.size() - 1)) {
      line(next.isBlank() ? "" : " ".repeat(indent + STEP) + next.stripLeading(), null);
    }
    line(" ".repeat(indent + STEP) + lines.getLast().strip(), trailing);
  }

  private void block(String head, Written.Text text, @Nullable Comment trailing, int indent) {
    List<String> lines = text.source().lines().toList();
    boolean keeps = lines.getFirst().contains("+");
    line(head + " " + lines.getFirst().replaceAll("[1-9]", String.valueOf(STEP)), trailing);
    int end = lines.size();
    while (!keeps && end > 1 && lines.get(end - 1).isBlank()) {
      end--;
    }
    for (String content : lines.subList(1, end)) {
      String rest =
          content.length() <= text.blockIndent() ? "" : content.substring(text.blockIndent());
      out.append(rest.isEmpty() ? "" : " ".repeat(indent + STEP) + rest).append('\n');
    }
    keepsBlanks = keeps;
  }

  private static String inline(Written value) {
    String anchor = value.anchor().isEmpty() ? "" : value.anchor() + " ";
    return switch (value) {
      case Written.Text text ->
          anchor + (text.source().isEmpty() ? "null" : Quotes.of(text.source()));
      case Collection list when !list.isMapping() ->
          anchor
              + list.parts().stream()
                  .map(part -> inline(part.value()))
                  .collect(Collectors.joining(", ", "[", "]"));
      case Collection mapping ->
          anchor
              + mapping.parts().stream()
                  .map(part -> part.key() + ": " + inline(part.value()))
                  .collect(Collectors.joining(", ", "{", "}"));
    };
  }

  private void comments(List<Comment> comments, int indent, boolean first) {
    boolean isFirst = first;
    for (Comment comment : comments) {
      if (comment.blankBefore() && !isFirst) {
        blank();
      }
      line(" ".repeat(indent) + comment.text(), null);
      isFirst = false;
    }
  }

  /** A comment stays in its column if there is room, so that aligned comments stay aligned. */
  private void line(String text, @Nullable Comment trailing) {
    out.append(text);
    if (trailing != null) {
      int length = text.codePointCount(0, text.length());
      int gap = trailing.column() > length ? trailing.column() - length : STEP;
      out.append(" ".repeat(gap)).append(trailing.text());
    }
    out.append('\n');
    keepsBlanks = false;
  }

  private void blank() {
    int length = out.length();
    boolean isBlank = length > 1 && out.charAt(length - 2) == '\n';
    if (!keepsBlanks && length > 0 && !isBlank) {
      out.append('\n');
    }
  }
}
