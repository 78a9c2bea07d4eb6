package dev.hapax.flows.expression;

import dev.hapax.json.ValueBudget;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A value of a flow file, of any shape, whose texts may contain expressions. */
public sealed interface ValueTemplate {
  /** Where it begins in the file. */
  Position position();

  /**
   * Makes the value, as one value or as a part of what the scope makes.
   *
   * @throws ExpressionFailed also if it would be too large
   */
  default @Nullable Object value(Scope scope) {
    return value(scope, scope.budget());
  }

  /** Makes the value in this room. */
  @Nullable Object value(Scope scope, ValueBudget room);

  /** All texts in it. */
  Stream<Template> templates();

  default Reach reach() {
    return templates().map(Template::reach).reduce(Reach.NOTHING, Reach::and);
  }

  /** A number, a boolean or null. */
  record Constant(Position position, @Nullable Object constant) implements ValueTemplate {
    @Override
    public @Nullable Object value(Scope scope, ValueBudget room) {
      ExpressionFailed.unlessFits(position, () -> room.takeValue(constant));
      return constant;
    }

    @Override
    public Stream<Template> templates() {
      return Stream.empty();
    }
  }

  record Text(Template template) implements ValueTemplate {
    @Override
    public Position position() {
      return template.position();
    }

    @Override
    public @Nullable Object value(Scope scope, ValueBudget room) {
      return template.value(scope, room);
    }

    @Override
    public Stream<Template> templates() {
      return Stream.of(template);
    }
  }

  record Mapping(Position position, Map<String, ValueTemplate> members) implements ValueTemplate {
    @Override
    public Object value(Scope scope, ValueBudget room) {
      var values = new LinkedHashMap<String, @Nullable Object>();
      ExpressionFailed.unlessFits(position, () -> room.take(2L + 2L * members.size()));
      members.forEach(
          (name, member) -> {
            ExpressionFailed.unlessFits(member.position(), () -> room.takeText(name));
            values.put(name, member.value(scope, room));
          });
      return values;
    }

    @Override
    public Stream<Template> templates() {
      return members.values().stream().flatMap(ValueTemplate::templates);
    }
  }

  record Sequence(Position position, List<ValueTemplate> elements) implements ValueTemplate {
    @Override
    public Object value(Scope scope, ValueBudget room) {
      ExpressionFailed.unlessFits(position, () -> room.take(2L + elements.size()));
      var values = new ArrayList<@Nullable Object>(elements.size());
      elements.forEach(element -> values.add(element.value(scope, room)));
      return values;
    }

    @Override
    public Stream<Template> templates() {
      return elements.stream().flatMap(ValueTemplate::templates);
    }
  }
}
