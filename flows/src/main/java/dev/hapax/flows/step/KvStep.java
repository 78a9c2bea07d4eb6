package dev.hapax.flows.step;

import dev.hapax.flow.KvResult;
import dev.hapax.flow.KvSteps;
import dev.hapax.flows.expression.Position;
import dev.hapax.flows.expression.Template;
import dev.hapax.flows.expression.ValueTemplate;
import dev.hapax.flows.yaml.Fields;
import dev.hapax.flows.yaml.Shape;
import dev.hapax.flows.yaml.Type;
import dev.hapax.flows.yaml.Types;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * An operation on the tenant's durable map.
 *
 * @param operation its word in the file
 */
record KvStep(
    Position position,
    String operation,
    Template key,
    @Nullable ValueTemplate value,
    @Nullable Template version,
    @Nullable ValueTemplate from,
    @Nullable ValueTemplate by,
    @Nullable Duration ttl)
    implements FlowStepKind {
  private static final String GET = "get";
  private static final String PUT = "put";
  private static final String PUT_IF_ABSENT = "putIfAbsent";
  private static final String COMPARE_AND_SET = "compareAndSet";
  private static final String TRANSITION = "transition";
  private static final String ADD = "add";
  private static final String DELETE = "delete";

  static final StepForm FORM =
      StepForm.mapping(
          "kv",
          "The durable map of the tenant.",
          KvStep::read,
          Shape.of("kv", "kv")
              .either(GET, new Type.Of("kvKey"), "Reads an entry.")
              .either(PUT, new Type.Of("kvPut"), "Writes an entry; an existing one is replaced.")
              .either(PUT_IF_ABSENT, new Type.Of("kvPut"), "Writes an entry if there is none.")
              .either(
                  COMPARE_AND_SET,
                  new Type.Of("kvCompareAndSet"),
                  "Writes an entry if it has this version.")
              .either(
                  TRANSITION,
                  new Type.Of("kvTransition"),
                  "Writes an entry if it has one of these values.")
              .either(ADD, new Type.Of("kvAdd"), "Adds a number to an entry.")
              .either(DELETE, new Type.Of("kvKey"), "Removes an entry.")
              .build(),
          Shape.of("kvKey", "an entry")
              .must("key", Types.TEMPLATE, "The key of the entry.")
              .build(),
          Shape.of("kvPut", "an entry")
              .must("key", Types.TEMPLATE, "The key of the entry.")
              .must("value", Types.VALUE, "The value of the entry.")
              .may("ttl", Types.TIME, "How long the entry is kept.")
              .build(),
          Shape.of("kvCompareAndSet", "an entry")
              .must("key", Types.TEMPLATE, "The key of the entry.")
              .must(
                  "version",
                  Types.TEMPLATE,
                  "The version that the entry must still have; 0 if there must be none.")
              .must("value", Types.VALUE, "The value of the entry.")
              .may("ttl", Types.TIME, "How long the entry is kept.")
              .build(),
          Shape.of("kvTransition", "an entry")
              .must("key", Types.TEMPLATE, "The key of the entry.")
              .must(
                  "from",
                  Types.VALUE,
                  "The value that the entry must have, or a list of such values; `null` also means"
                      + " that there is no entry.")
              .must("to", Types.VALUE, "The value that the entry gets.")
              .may("ttl", Types.TIME, "How long the entry is kept; default is unchanged.")
              .build(),
          Shape.of("kvAdd", "an entry")
              .must("key", Types.TEMPLATE, "The key of the entry; without an entry it counts as 0.")
              .may("by", Types.VALUE, "The number to add, which may be negative; default 1.")
              .may("ttl", Types.TIME, "How long the entry is kept; default is unchanged.")
              .build());

  private static KvStep read(StepSource source) {
    String operation = source.fields().alternative();
    Fields entry = source.fields().fieldsOf(operation);
    return new KvStep(
        source.position(),
        operation,
        entry.template("key"),
        entry.valueOrNull(operation.equals(TRANSITION) ? "to" : "value"),
        entry.templateOrNull("version"),
        entry.valueOrNull("from"),
        entry.valueOrNull("by"),
        entry.time("ttl"));
  }

  @Override
  public String word() {
    return FORM.word();
  }

  @Override
  public Stream<Template> templates() {
    return Templates.of(key, value, version, from, by);
  }

  @Override
  public Map<String, @Nullable Object> run(StepRun step) {
    String at = Guarded.prepared(step, () -> step.text(key));
    Object content =
        Guarded.<@Nullable Object>prepared(
            step, () -> value == null ? null : value.value(step.scope()));
    KvSteps map = step.run().kv();
    KvResult result =
        switch (operation) {
          case GET -> map.get(step.id(), at);
          case PUT -> map.put(step.id(), at, content, ttl);
          case PUT_IF_ABSENT -> map.putIfAbsent(step.id(), at, content, ttl);
          case COMPARE_AND_SET -> map.compareAndSet(step.id(), at, expected(step), content, ttl);
          case TRANSITION -> map.transition(step.id(), at, from(step), content, ttl);
          case ADD -> map.add(step.id(), at, by(step), ttl);
          case DELETE -> map.delete(step.id(), at);
          default -> throw new IllegalStateException(operation);
        };
    var output = new LinkedHashMap<String, @Nullable Object>();
    output.put("value", result.value(Object.class));
    output.put("version", result.version());
    output.put("written", result.written());
    return output;
  }

  private long expected(StepRun step) {
    String text = Guarded.prepared(step, () -> version == null ? "" : step.text(version));
    try {
      return Long.parseLong(text);
    } catch (NumberFormatException e) {
      throw step.failed("expression", "version: expected a whole number, got '%s'".formatted(text));
    }
  }

  private List<@Nullable Object> from(StepRun step) {
    Object expected =
        Guarded.<@Nullable Object>prepared(
            step, () -> from == null ? null : from.value(step.scope()));
    List<@Nullable Object> values = new ArrayList<>();
    if (expected instanceof Collection<?> several) {
      values.addAll(several);
    } else {
      values.add(expected);
    }
    return values;
  }

  private Number by(StepRun step) {
    Object number =
        Guarded.<@Nullable Object>prepared(step, () -> by == null ? 1 : by.value(step.scope()));
    if (number instanceof Number given) {
      return given;
    }
    throw step.failed("expression", "by: expected a number, got another value");
  }

  @Override
  public boolean onlyReads() {
    return operation.equals(GET);
  }

  @Override
  public Follows follows() {
    return Follows.SURELY;
  }

  @Override
  public @Nullable Template readEntry() {
    return onlyReads() ? key : null;
  }

  @Override
  public @Nullable Template writtenEntry() {
    return onlyReads() ? null : key;
  }

  @Override
  public boolean canFail() {
    return operation.equals(ADD); // the entry may have another value than a number
  }

  @Override
  public String description() {
    return "kv %s %s".formatted(operation, key.plain());
  }
}
