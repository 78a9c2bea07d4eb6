package dev.hapax.flows.yaml;

import dev.hapax.flows.expression.Position;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.api.lowlevel.Parse;
import org.snakeyaml.engine.v2.common.Anchor;
import org.snakeyaml.engine.v2.common.ScalarStyle;
import org.snakeyaml.engine.v2.events.AliasEvent;
import org.snakeyaml.engine.v2.events.CollectionEndEvent;
import org.snakeyaml.engine.v2.events.CollectionStartEvent;
import org.snakeyaml.engine.v2.events.DocumentStartEvent;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.ReaderException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;
import org.snakeyaml.engine.v2.nodes.Tag;

/**
 * Reads YAML 1.2 with limits, so that no file can exhaust the reader: 1 MB, 50 levels, 50 aliases,
 * 50,000 nodes once the aliases are followed; numbers of 100 characters; no tags, one document, no
 * duplicate key.
 */
public final class Yaml {
  static final int MOST_BYTES = 1 << 20;
  static final int DEEPEST = 50;
  static final int MOST_ALIASES = 50;
  static final int MOST_NODES = 50_000;

  /** The time to read a number grows with the square of its digits. */
  private static final int LONGEST_NUMBER = 100;

  private static final int LARGEST_EXPONENT = 308;

  private final String file;
  private final List<FileProblem> problems;
  private int nodes;

  public Yaml(String file, List<FileProblem> problems) {
    this.file = file;
    this.problems = problems;
  }

  /** Returns null if the text cannot be read at all; then the problems say why. */
  public @Nullable Node read(String text) {
    if (text.getBytes(StandardCharsets.UTF_8).length > MOST_BYTES) {
      refuse(
          start(), "a flow file has at most 1 MB", "Split it, or put large values into resources.");
      return null;
    }
    LoadSettings settings = LoadSettings.builder().setLabel(file).setUseMarks(true).build();
    try {
      lookFirst(settings, text);
      var root = new Compose(settings).composeString(text);
      if (root.isEmpty()) {
        refuse(start(), "the file is empty", "Begin with 'flow: NAME' and 'steps:'.");
        return null;
      }
      return convert(root.get());
    } catch (Refused e) {
      return null;
    } catch (MarkedYamlEngineException e) {
      YamlWords words = YamlWords.of(e);
      Optional<Mark> begin = words.atBegin() ? e.getContextMark() : Optional.empty();
      refuse(position(begin.or(e::getProblemMark)), words.message(), words.fix());
      return null;
    } catch (ReaderException e) {
      refuse(
          position(text, e.getPosition()),
          "the file contains a control character (U+%04X)".formatted(e.getCodePoint()),
          "Remove it.");
      return null;
    } catch (YamlEngineException | IllegalArgumentException | IndexOutOfBoundsException e) {
      YamlWords words = YamlWords.of(e);
      refuse(start(), words.message(), words.fix());
      return null;
    }
  }

  /** Events do not recurse, so this finds anything that would overflow the stack or never end. */
  private void lookFirst(LoadSettings settings, String text) {
    Deque<Optional<Anchor>> open = new ArrayDeque<>();
    int aliases = 0;
    int documents = 0;
    for (Event event : new Parse(settings).parseString(text)) {
      switch (event) {
        case DocumentStartEvent document -> {
          if (++documents > 1) {
            throw refused(
                document,
                "a file holds one flow, but a second document begins here",
                "Put it into another file.");
          }
        }
        case CollectionStartEvent collection -> {
          open.push(collection.getAnchor());
          if (open.size() > DEEPEST) {
            throw refused(
                collection, "nested more than %d levels deep".formatted(DEEPEST), "Flatten it.");
          }
        }
        case CollectionEndEvent _ -> open.pop();
        case AliasEvent alias -> {
          if (++aliases > MOST_ALIASES) {
            throw refused(
                alias, "more than %d aliases".formatted(MOST_ALIASES), "Write the values out.");
          }
          if (open.contains(Optional.of(alias.getAlias()))) {
            throw refused(
                alias,
                "alias '*%s' is inside the value that it names".formatted(alias.getAlias()),
                "Write the value out.");
          }
        }
        default -> {}
      }
    }
  }

  private Node convert(org.snakeyaml.engine.v2.nodes.Node node) {
    if (++nodes > MOST_NODES) {
      throw refused(
          node.getStartMark(),
          "more than %,d values once its aliases are followed".formatted(MOST_NODES),
          "Write less, or split the flow.");
    }
    return switch (node) {
      case MappingNode mapping -> mapping(mapping);
      case SequenceNode sequence -> {
        refuseTag(node, Tag.SEQ);
        yield new Node.Sequence(
            position(node.getStartMark()),
            sequence.getValue().stream().map(this::convert).toList());
      }
      case ScalarNode scalar -> scalar(scalar);
      default ->
          throw refused(node.getStartMark(), "a flow file cannot contain this", "Remove it.");
    };
  }

  private Node mapping(MappingNode mapping) {
    refuseTag(mapping, Tag.MAP);
    var entries = new ArrayList<Node.Entry>();
    var seen = new HashSet<String>();
    for (NodeTuple tuple : mapping.getValue()) {
      Position at = position(tuple.getKeyNode().getStartMark());
      if (!(tuple.getKeyNode() instanceof ScalarNode key)) {
        refuse(at, "expected a text as key, got a list or mapping", "Quote it if it is a text.");
        continue;
      }
      if (!seen.add(key.getValue())) {
        refuse(at, "'%s' occurs twice in this mapping".formatted(key.getValue()), "Remove one.");
        continue;
      }
      entries.add(new Node.Entry(key.getValue(), at, convert(tuple.getValueNode())));
    }
    return new Node.Mapping(position(mapping.getStartMark()), entries);
  }

  private Node scalar(ScalarNode scalar) {
    Position at = position(scalar.getStartMark());
    boolean quoted =
        scalar.getScalarStyle() == ScalarStyle.DOUBLE_QUOTED
            || scalar.getScalarStyle() == ScalarStyle.SINGLE_QUOTED;
    boolean flat = quoted || scalar.getScalarStyle() == ScalarStyle.PLAIN;
    boolean oneLine = flat && endLine(scalar) == at.line();
    Object value = valueOf(scalar);
    String text = "".equals(value) ? "" : scalar.getValue(); // nothing of a text that was refused
    return new Node.Scalar(at, text, value, quoted ? at.right(1) : at, oneLine);
  }

  private static int endLine(ScalarNode scalar) {
    return scalar.getEndMark().map(mark -> mark.getLine() + 1).orElse(-1);
  }

  private @Nullable Object valueOf(ScalarNode scalar) {
    String text = scalar.getValue();
    Tag tag = scalar.getTag();
    if (tag.equals(Tag.NULL)) {
      return null;
    }
    if (tag.equals(Tag.BOOL)) {
      return text.equalsIgnoreCase("true");
    }
    if ((tag.equals(Tag.INT) || tag.equals(Tag.FLOAT)) && text.length() > LONGEST_NUMBER) {
      refuse(
          position(scalar.getStartMark()),
          "a number has at most %d characters, but this one has %,d"
              .formatted(LONGEST_NUMBER, text.length()),
          "Quote it if it is a text.");
      return text;
    }
    try {
      if (tag.equals(Tag.INT)) {
        var whole = new BigInteger(text);
        return whole.bitLength() < 64 ? (Object) whole.longValue() : whole;
      }
      if (tag.equals(Tag.FLOAT)) {
        var number = new BigDecimal(text);
        if (Math.abs((long) number.precision() - number.scale()) > LARGEST_EXPONENT) {
          throw new NumberFormatException(text); // not a double, and gigabytes if written out
        }
        return number;
      }
    } catch (NumberFormatException e) {
      refuse(
          position(scalar.getStartMark()),
          "'%s' is not a JSON number".formatted(text),
          "Quote it if it is a text.");
      return text;
    }
    if (text.codePoints().anyMatch(point -> point >= 0xD800 && point <= 0xDFFF)) {
      refuse(
          position(scalar.getStartMark()),
          "this text holds half a character (a lone surrogate), which cannot be stored",
          "Write the whole character.");
      return "";
    }
    if (!tag.equals(Tag.ENV_TAG)) { // a plain ${name}; nothing is taken from the environment
      refuseTag(scalar, Tag.STR);
    }
    return text;
  }

  private void refuseTag(org.snakeyaml.engine.v2.nodes.Node node, Tag usual) {
    if (!node.getTag().equals(usual)) {
      refuse(
          position(node.getStartMark()),
          "tag '%s' is not known here".formatted(node.getTag().getValue()),
          "Remove the tag.");
    }
  }

  private void refuse(Position at, String message, String fix) {
    problems.add(new FileProblem(FileProblem.YAML, at, message, fix));
  }

  private Refused refused(Event event, String message, String fix) {
    return refused(event.getStartMark(), message, fix);
  }

  private Refused refused(Optional<Mark> mark, String message, String fix) {
    refuse(position(mark), message, fix);
    return new Refused();
  }

  private Position position(Optional<Mark> mark) {
    return mark.map(this::position).orElse(start());
  }

  private Position position(Mark mark) {
    return new Position(file, mark.getLine() + 1, mark.getColumn() + 1);
  }

  /** Returns the position of a code point. */
  private Position position(String text, int index) {
    int line = 1;
    int column = 1;
    int[] points = text.codePoints().limit(Math.max(0, index)).toArray();
    for (int point : points) {
      line = point == '\n' ? line + 1 : line;
      column = point == '\n' ? 1 : column + 1;
    }
    return new Position(file, line, column);
  }

  private Position start() {
    return new Position(file, 1, 1);
  }

  private static final class Refused extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }
}
