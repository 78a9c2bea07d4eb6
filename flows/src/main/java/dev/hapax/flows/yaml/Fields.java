package dev.hapax.flows.yaml;

import dev.hapax.flows.expression.Position;
import dev.hapax.flows.expression.Template;
import dev.hapax.flows.expression.ValueTemplate;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A mapping that fits its shape: the values of its fields, each of its declared type. */
public final class Fields {
  private final Shape shape;
  private final Position position;
  private final Map<String, Object> values;
  private final Map<String, Position> positions;
  private final boolean sound;
  private final Node.@Nullable Mapping source;

  public Fields(
      Shape shape, Position position, Map<String, Object> values, Map<String, Position> positions) {
    this(shape, position, values, positions, true, null);
  }

  Fields(
      Shape shape,
      Position position,
      Map<String, Object> values,
      Map<String, Position> positions,
      boolean sound,
      Node.@Nullable Mapping source) {
    this.source = source;
    this.shape = shape;
    this.position = position;
    this.values = values;
    this.positions = positions;
    this.sound = sound;
  }

  /**
   * Whether all of it has its declared type and nothing is missing, apart from entries of lists
   * that can do without them.
   */
  public boolean isSound() {
    return sound;
  }

  public Position position() {
    return position;
  }

  /** Returns what the file says as maps, lists and scalars; null if it is from no file. */
  public @Nullable Object plain() {
    return source == null ? null : source.plain();
  }

  /** Returns the position of the field's key. */
  public Position position(String name) {
    return positions.getOrDefault(name, position);
  }

  public boolean has(String name) {
    return values.containsKey(name);
  }

  /** Returns the names of the fields that are present, in the order of the file. */
  public Set<String> names() {
    return Collections.unmodifiableSet(values.keySet());
  }

  /** Returns the node of a field whose value is plain; null if it is missing. */
  public @Nullable Node node(String name) {
    return (Node) values.get(name);
  }

  /** Returns the one alternative of the shape that is present. */
  public String alternative() {
    return shape.alternatives().stream().filter(this::has).findFirst().orElseThrow();
  }

  public @Nullable Object raw(String name) {
    return values.get(name);
  }

  public String text(String name) {
    return Objects.requireNonNull(textOrNull(name), name);
  }

  public @Nullable String textOrNull(String name) {
    return (String) values.get(name);
  }

  public String text(String name, String usual) {
    return (String) values.getOrDefault(name, usual);
  }

  /** Returns the constant for a word: {@code cancel-running} is CANCEL_RUNNING. */
  public <E extends Enum<E>> E word(Class<E> type, String name) {
    return Enum.valueOf(type, text(name).toUpperCase(Locale.ROOT).replace('-', '_'));
  }

  public <E extends Enum<E>> E word(Class<E> type, String name, E usual) {
    return has(name) ? word(type, name) : usual;
  }

  public Template template(String name) {
    return Objects.requireNonNull(templateOrNull(name), name);
  }

  public @Nullable Template templateOrNull(String name) {
    return (Template) values.get(name);
  }

  public ValueTemplate value(String name) {
    return Objects.requireNonNull(valueOrNull(name), name);
  }

  public @Nullable ValueTemplate valueOrNull(String name) {
    return (ValueTemplate) values.get(name);
  }

  public ValueTemplate.Mapping members(String name) {
    return (ValueTemplate.Mapping)
        values.getOrDefault(name, new ValueTemplate.Mapping(position(name), Map.of()));
  }

  public @Nullable Duration time(String name) {
    return (Duration) values.get(name);
  }

  public Duration time(String name, Duration usual) {
    return (Duration) values.getOrDefault(name, usual);
  }

  public int whole(String name, int usual) {
    Long value = (Long) values.get(name);
    return value == null ? usual : Math.toIntExact(value);
  }

  public double real(String name, double usual) {
    return (Double) values.getOrDefault(name, usual);
  }

  public boolean flag(String name) {
    return (Boolean) values.getOrDefault(name, false);
  }

  public @Nullable JsonSchema schema(String name) {
    return (JsonSchema) values.get(name);
  }

  @SuppressWarnings("unchecked") // the shape says what the list holds
  public <T> List<T> list(String name) {
    return (List<T>) values.getOrDefault(name, List.of());
  }

  @SuppressWarnings("unchecked") // the shape says what it is
  public Map<String, List<Fields>> branches(String name) {
    return (Map<String, List<Fields>>) values.getOrDefault(name, Map.of());
  }

  public @Nullable Fields fields(String name) {
    return (Fields) values.get(name);
  }

  public Fields fieldsOf(String name) {
    return Objects.requireNonNull(fields(name), name);
  }
}
