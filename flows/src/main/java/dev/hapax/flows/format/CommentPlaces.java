package dev.hapax.flows.format;

import dev.hapax.flows.format.Written.Collection;
import dev.hapax.flows.format.Written.Part;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.exceptions.Mark;

/**
 * Gives each comment to the part of the text that it belongs to: behind a value on the same line,
 * above the next part, or, if it is indented deeper than what follows, below the part before it.
 */
final class CommentPlaces {
  private final List<Element> elements = new ArrayList<>();
  private final List<Comment> inHeaders = new ArrayList<>();
  private @Nullable Element preceding;
  private int deepest = Integer.MAX_VALUE;

  private enum Role {
    BEGIN,
    END,
    CLOSE
  }

  /**
   * A point of the text, in the order of the text.
   *
   * @param part null for the end of a collection in brackets
   * @param line where it ends
   */
  private record Element(
      Role role, Collection collection, @Nullable Part part, int index, int line) {}

  /** A part begins: a key, or the value of an element of a list. */
  void begins(Part part, Mark at) {
    elements.add(new Element(Role.BEGIN, part.in(), part, at.getIndex(), at.getLine()));
  }

  /** The value of a part, which has no lines of its own. */
  void ends(Part part, Mark begin, Mark end) {
    elements.add(new Element(Role.END, part.in(), part, begin.getIndex(), end.getLine()));
  }

  /** The bracket that closes a collection of several lines. */
  void closes(Collection collection, Mark at) {
    elements.add(new Element(Role.CLOSE, collection, null, at.getIndex(), at.getLine()));
  }

  /** The comment behind the sign of a text block, which the parser counts as part of the text. */
  void inHeader(Part part, Comment comment) {
    part.trailing(comment);
    inHeaders.add(comment);
  }

  List<Comment> inHeaders() {
    return inHeaders;
  }

  void place(List<Comment> comments, Collection root) {
    int next = 0;
    for (Comment comment : comments) {
      while (next < elements.size() && elements.get(next).index() <= comment.index()) {
        next++;
      }
      Element before = next == 0 ? null : elements.get(next - 1);
      Element after = next == elements.size() ? null : elements.get(next);
      if (!isTaken(comment, before)) {
        place(comment, before, after, root);
      }
    }
  }

  private static boolean isTaken(Comment comment, @Nullable Element before) {
    if (comment.alone() || before == null || before.line() != comment.line()) {
      return false;
    }
    Part part = before.part();
    if (part == null) {
      before.collection().tail().add(comment);
      return true;
    }
    if (!part.in().isMapping() && part.value() instanceof Collection inside && !inside.isInline()) {
      part.lead().add(comment); // a dash alone has no line for it
      return true;
    }
    boolean isFree = part.trailing() == null;
    if (isFree) {
      part.trailing(comment);
    }
    return isFree;
  }

  private void place(
      Comment comment, @Nullable Element before, @Nullable Element after, Collection root) {
    if (!Objects.equals(before, preceding)) { // between the same two, the order of comments stays
      deepest = Integer.MAX_VALUE;
      preceding = before;
    }
    if (after != null && after.role() == Role.CLOSE) {
      after.collection().tail().add(comment);
      return;
    }
    boolean byColumn =
        comment.alone()
            && (after == null || (after.role() == Role.BEGIN && after.collection().column() >= 0));
    int nextColumn = after == null ? -1 : after.collection().column();
    Collection above =
        byColumn ? above(before, Math.min(comment.column(), deepest), nextColumn) : null;
    if (above != null) {
      deepest = above.column();
      above.tail().add(comment);
    } else if (after == null) {
      deepest = 0;
      root.tail().add(comment);
    } else {
      deepest = nextColumn;
      leadOf(after).add(comment);
    }
  }

  private static List<Comment> leadOf(Element element) {
    Part part = element.part();
    return part == null ? element.collection().tail() : part.lead();
  }

  /** Returns the innermost collection that ends before this place and reaches to this column. */
  private static @Nullable Collection above(@Nullable Element before, int column, int next) {
    Collection collection = before == null ? null : before.collection();
    while (collection != null) {
      if (collection.column() > next && collection.column() <= column) {
        return collection;
      }
      Part owner = collection.owner();
      collection = owner == null ? null : owner.in();
    }
    return null;
  }
}
