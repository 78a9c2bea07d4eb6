package dev.hapax.flows.expression;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A value of a flow file, of any shape, whose texts may contain expressions. */
public sealed interface ValueTemplate {
  @Nullable Object value(Scope scope);

  /** All texts in it. */
  Stream<Template> templates();

  default Reach reach() {
    return templates().map(Template::reach).reduce(Reach.NOTHING, Reach::and);
  }

  /** A number, a boolean or null. */
  record Constant(@Nullable Object constant) implements ValueTemplate {
    @Override
    public @Nullable Object value(Scope scope) {
      return constant;
    }

    @Override
    public Stream<Template> templates() {
      return Stream.empty();
    }
  }

  record Text(Template template) implements ValueTemplate {
    @Override
    public @Nullable Object value(Scope scope) {
      return template.value(scope);
    }

    @Override
    public Stream<Template> templates() {
      return Stream.of(template);
    }
  }

  record Mapping(Map<String, ValueTemplate> members) implements ValueTemplate {
    @Override
    public Object value(Scope scope) {
      var values = new LinkedHashMap<String, @Nullable Object>();
      members.forEach((name, member) -> values.put(name, member.value(scope)));
      return values;
    }

    @Override
    public Stream<Template> templates() {
      return members.values().stream().flatMap(ValueTemplate::templates);
    }
  }

  record Sequence(List<ValueTemplate> elements) implements ValueTemplate {
    @Override
    public Object value(Scope scope) {
      var values = new ArrayList<@Nullable Object>(elements.size());
      elements.forEach(element -> values.add(element.value(scope)));
      return values;
    }

    @Override
    public Stream<Template> templates() {
      return elements.stream().flatMap(ValueTemplate::templates);
    }
  }
}
