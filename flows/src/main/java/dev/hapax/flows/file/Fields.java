package dev.hapax.flows.file;

import dev.hapax.flows.expression.Position;
import dev.hapax.flows.expression.Template;
import dev.hapax.flows.expression.ValueTemplate;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A mapping that fits its shape: the values of its fields, each of its declared type. */
final class Fields {
  private final Shape shape;
  private final Position position;
  private final Map<String, Object> values;
  private final Map<String, Position> positions;

  Fields(
      Shape shape, Position position, Map<String, Object> values, Map<String, Position> positions) {
    this.shape = shape;
    this.position = position;
    this.values = values;
    this.positions = positions;
  }

  Position position() {
    return position;
  }

  /** Returns the position of the field's key. */
  Position position(String name) {
    return positions.getOrDefault(name, position);
  }

  boolean has(String name) {
    return values.containsKey(name);
  }

  /** Returns the one alternative of the shape that is present. */
  String alternative() {
    return shape.alternatives().stream().filter(this::has).findFirst().orElseThrow();
  }

  @Nullable Object raw(String name) {
    return values.get(name);
  }

  String text(String name) {
    return Objects.requireNonNull(textOrNull(name), name);
  }

  @Nullable String textOrNull(String name) {
    return (String) values.get(name);
  }

  String text(String name, String usual) {
    return (String) values.getOrDefault(name, usual);
  }

  Template template(String name) {
    return Objects.requireNonNull(templateOrNull(name), name);
  }

  @Nullable Template templateOrNull(String name) {
    return (Template) values.get(name);
  }

  ValueTemplate value(String name) {
    return Objects.requireNonNull(valueOrNull(name), name);
  }

  @Nullable ValueTemplate valueOrNull(String name) {
    return (ValueTemplate) values.get(name);
  }

  ValueTemplate.Mapping members(String name) {
    return (ValueTemplate.Mapping) values.getOrDefault(name, new ValueTemplate.Mapping(Map.of()));
  }

  @Nullable Duration time(String name) {
    return (Duration) values.get(name);
  }

  Duration time(String name, Duration usual) {
    return (Duration) values.getOrDefault(name, usual);
  }

  int whole(String name, int usual) {
    Long value = (Long) values.get(name);
    return value == null ? usual : Math.toIntExact(value);
  }

  double real(String name, double usual) {
    return (Double) values.getOrDefault(name, usual);
  }

  boolean flag(String name) {
    return (Boolean) values.getOrDefault(name, false);
  }

  @Nullable JsonSchema schema(String name) {
    return (JsonSchema) values.get(name);
  }

  @SuppressWarnings("unchecked") // the shape says what the list holds
  <T> List<T> list(String name) {
    return (List<T>) values.getOrDefault(name, List.of());
  }

  @SuppressWarnings("unchecked") // the shape says what it is
  Map<String, List<Fields>> branches(String name) {
    return (Map<String, List<Fields>>) values.getOrDefault(name, Map.of());
  }

  @Nullable Fields fields(String name) {
    return (Fields) values.get(name);
  }

  Fields fieldsOf(String name) {
    return Objects.requireNonNull(fields(name), name);
  }
}
