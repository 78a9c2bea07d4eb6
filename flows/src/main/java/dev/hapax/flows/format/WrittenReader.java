package dev.hapax.flows.format;

import static dev.hapax.flows.format.SourceText.end;
import static dev.hapax.flows.format.SourceText.start;

import dev.hapax.flows.format.Written.Collection;
import dev.hapax.flows.format.Written.Part;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Parse;
import org.snakeyaml.engine.v2.events.AliasEvent;
import org.snakeyaml.engine.v2.events.CollectionEndEvent;
import org.snakeyaml.engine.v2.events.CollectionStartEvent;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.events.MappingStartEvent;
import org.snakeyaml.engine.v2.events.NodeEvent;
import org.snakeyaml.engine.v2.events.ScalarEvent;
import org.snakeyaml.engine.v2.exceptions.Mark;

/**
 * Reads a YAML text as it is written. The text has been read by {@link dev.hapax.flows.yaml.Yaml}
 * before, so that it has one document, is not too deep and has only texts as keys.
 */
final class WrittenReader {
  private final SourceText source;
  private final CommentPlaces places = new CommentPlaces();
  private final List<Event> events = new ArrayList<>();
  private int at;

  private WrittenReader(String text) {
    this.source = new SourceText(text);
    new Parse(LoadSettings.builder().setUseMarks(true).build())
        .parseString(text)
        .forEach(events::add);
  }

  /**
   * What was read.
   *
   * @param comments all of them, in their order
   */
  record Result(Collection root, List<String> comments) {}

  /** Returns null if the text is not a mapping, or has a tag, which the tree cannot hold. */
  static @Nullable Result read(String text) {
    var reader = new WrittenReader(text);
    while (!(reader.events.get(reader.at) instanceof NodeEvent)) {
      reader.at++;
    }
    if (!(reader.events.get(reader.at) instanceof MappingStartEvent) || reader.hasTag()) {
      return null;
    }
    Collection root = (Collection) reader.value(null, false);
    List<Comment> comments = reader.source.comments();
    reader.places.place(comments, root);
    var texts = new ArrayList<String>();
    comments.forEach(comment -> texts.add(comment.text()));
    reader.places.inHeaders().forEach(comment -> texts.add(comment.text()));
    return new Result(root, texts);
  }

  private boolean hasTag() {
    return events.stream()
        .anyMatch(
            event ->
                (event instanceof ScalarEvent scalar && scalar.getTag().isPresent())
                    || (event instanceof CollectionStartEvent collection
                        && collection.getTag().isPresent()));
  }

  private Written value(@Nullable Part owner, boolean inline) {
    return switch (events.get(at++)) {
      case AliasEvent alias -> new Written.Text("", source.cut(alias), -1);
      case ScalarEvent scalar -> scalar(scalar, owner);
      case CollectionStartEvent begin -> collection(begin, owner, inline);
      default -> throw new IllegalStateException("a value was expected");
    };
  }

  private Collection collection(
      CollectionStartEvent begin, @Nullable Part owner, boolean insideInline) {
    boolean mapping = begin instanceof MappingStartEvent;
    boolean oneLine =
        begin.isFlow() && owner != null && start(begin).getLine() == end(closing()).getLine();
    boolean inline = insideInline || oneLine;
    var collection = new Collection(anchor(begin), mapping, inline, column(begin), owner);
    while (!(events.get(at) instanceof CollectionEndEvent)) {
      collection.parts().add(part(collection, inline));
    }
    Event close = events.get(at++);
    if (!collection.isInline() && begin.isFlow()) {
      places.closes(collection, start(close));
    }
    return collection;
  }

  private Part part(Collection in, boolean inline) {
    Event first = events.get(at);
    Mark begin = start(first);
    String key = "";
    String name = "";
    if (in.isMapping()) {
      at++;
      key = source.cut(first) + (first instanceof AliasEvent ? " " : "");
      name = first instanceof ScalarEvent scalar ? scalar.getValue() : key;
      if (first instanceof ScalarEvent) {
        source.markScalar(first);
      }
    }
    var part = new Part(in, key, name, source.isBlankAbove(begin.getLine()));
    if (!inline) {
      places.begins(part, begin);
    }
    Event valueBegin = events.get(at);
    Mark valueAt = start(valueBegin);
    part.value(value(part, inline));
    boolean isAtom = !(part.value() instanceof Collection inside) || inside.isInline();
    if (!inline && isAtom) {
      places.ends(part, valueAt, end(events.get(at - 1)));
    }
    return part;
  }

  private Written.Text scalar(ScalarEvent scalar, @Nullable Part owner) {
    source.markScalar(scalar);
    String text = source.cut(scalar);
    String anchor = anchor(scalar);
    if (!anchor.isEmpty()) {
      text = text.substring(anchor.length()).strip();
    }
    if (owner == null || !(scalar.isLiteral() || scalar.isFolded())) {
      return new Written.Text(anchor, text, -1);
    }
    String header = text.lines().findFirst().orElse("");
    int comment = SourceText.headerComment(header);
    if (comment >= 0) {
      Mark mark = start(scalar);
      places.inHeader(
          owner,
          new Comment(
              mark.getIndex() + comment + 1,
              mark.getLine(),
              mark.getColumn() + comment + 1,
              header.substring(comment + 1).stripTrailing(),
              false,
              false));
    }
    String sign = (comment < 0 ? header : header.substring(0, comment)).strip();
    String content = text.substring(header.length());
    return new Written.Text(anchor, sign + content, blockIndent(sign, content, owner));
  }

  /** Returns the column of a text block's content: as its sign says, or that of its first line. */
  private static int blockIndent(String sign, String content, Part owner) {
    int digit = sign.chars().filter(Character::isDigit).findFirst().orElse(0);
    if (digit != 0) {
      return Math.max(0, owner.in().column()) + digit - '0';
    }
    return content
        .lines()
        .filter(line -> !line.isBlank())
        .findFirst()
        .map(line -> line.length() - line.stripLeading().length())
        .orElse(0);
  }

  private Event closing() {
    int depth = 1;
    int index = at;
    while (depth > 0) {
      Event event = events.get(index++);
      depth += event instanceof CollectionStartEvent ? 1 : 0;
      depth -= event instanceof CollectionEndEvent ? 1 : 0;
    }
    return events.get(index - 1);
  }

  /** Returns the column of its keys or dashes; an anchor before them would hide it. */
  private int column(CollectionStartEvent begin) {
    if (begin.isFlow()) {
      return -1;
    }
    if (begin instanceof MappingStartEvent) {
      return start(events.get(at)).getColumn();
    }
    return begin.getAnchor().isEmpty()
        ? start(begin).getColumn()
        : Math.max(0, start(events.get(at)).getColumn() - 2);
  }

  private static String anchor(NodeEvent event) {
    return event.getAnchor().map(anchor -> "&" + anchor.getValue()).orElse("");
  }
}
