package dev.hapax.flows.format;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A value of a YAML text as it is written: its style, its place, and its comments. */
sealed interface Written {
  /** Its anchor with the {@code &}, or nothing. */
  String anchor();

  /**
   * A scalar or an alias.
   *
   * @param source its text in the file, with quotes, without its anchor
   * @param blockIndent for a literal or folded text: the column of its content; else -1
   */
  record Text(String anchor, String source, int blockIndent) implements Written {
    boolean isBlock() {
      return blockIndent >= 0;
    }
  }

  /** A mapping or a list. */
  final class Collection implements Written {
    private final String anchor;
    private final boolean mapping;
    private final boolean inline;
    private final int column;
    private final @Nullable Part owner;
    private final List<Part> parts = new ArrayList<>();
    private final List<Comment> tail = new ArrayList<>();

    /**
     * Creates an empty one.
     *
     * @param inline whether it stays on one line, in brackets
     * @param column of its keys or dashes; -1 if it is in brackets
     * @param owner the part that it is the value of; null for the whole file
     */
    Collection(String anchor, boolean mapping, boolean inline, int column, @Nullable Part owner) {
      this.anchor = anchor;
      this.mapping = mapping;
      this.inline = inline;
      this.column = column;
      this.owner = owner;
    }

    @Override
    public String anchor() {
      return anchor;
    }

    boolean isMapping() {
      return mapping;
    }

    boolean isInline() {
      return inline || parts.isEmpty();
    }

    int column() {
      return column;
    }

    @Nullable Part owner() {
      return owner;
    }

    List<Part> parts() {
      return parts;
    }

    /** Comments behind the last part. */
    List<Comment> tail() {
      return tail;
    }
  }

  /** A field of a mapping or an element of a list, with its comments. */
  final class Part {
    private final Collection in;
    private final String key;
    private final String name;
    private final List<Comment> lead = new ArrayList<>();
    private Written value = new Text("", "", -1);
    private @Nullable Comment trailing;
    private boolean blankBefore;

    /**
     * Creates a part without a value.
     *
     * @param key as it is written; empty for an element of a list
     * @param name the meaning of the key
     */
    Part(Collection in, String key, String name, boolean blankBefore) {
      this.in = in;
      this.key = key;
      this.name = name;
      this.blankBefore = blankBefore;
    }

    Collection in() {
      return in;
    }

    String key() {
      return key;
    }

    String name() {
      return name;
    }

    Written value() {
      return value;
    }

    void value(Written written) {
      this.value = written;
    }

    /** Comments on the lines above. */
    List<Comment> lead() {
      return lead;
    }

    @Nullable Comment trailing() {
      return trailing;
    }

    void trailing(Comment comment) {
      this.trailing = comment;
    }

    /** Whether the first field of its value is on the line of its dash. */
    boolean isJoined() {
      return !in.isMapping()
          && trailing == null
          && value instanceof Collection fields
          && fields.isMapping()
          && !fields.isInline()
          && fields.anchor().isEmpty();
    }

    /** Takes the comments of the first field, which would else be behind the dash. */
    void hoist() {
      if (!isJoined() || !(value instanceof Collection fields)) {
        return;
      }
      List<Comment> inner = fields.parts().getFirst().lead();
      if (lead.isEmpty() && !inner.isEmpty()) {
        inner.set(0, inner.getFirst().afterBlank(blankBefore));
        blankBefore = false;
      }
      lead.addAll(inner);
      inner.clear();
    }

    /** Whether an empty line comes before its own line. */
    boolean isBlankBefore() {
      return blankBefore;
    }

    /** Whether an empty line comes before its first line, comments included. */
    boolean isSetOff() {
      return lead.isEmpty() ? blankBefore : lead.getFirst().blankBefore();
    }

    void setOff(boolean blank) {
      if (lead.isEmpty()) {
        blankBefore = blank;
      } else {
        lead.set(0, lead.getFirst().afterBlank(blank));
      }
    }
  }
}
