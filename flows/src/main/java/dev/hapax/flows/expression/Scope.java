package dev.hapax.flows.expression;

import dev.hapax.json.ValueBudget;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The values that expressions see by name, as plain Java values of JSON. Immutable; an inner scope
 * hides names of the outer one.
 */
public final class Scope {
  private final @Nullable Scope outer;
  private final Map<String, @Nullable Object> values;
  private final Volatile moment;
  private final UnaryOperator<String> redaction;
  private final int valueBytes;
  private final @Nullable ValueBudget shared;

  private Scope(
      @Nullable Scope outer,
      Map<String, @Nullable Object> values,
      Volatile moment,
      UnaryOperator<String> redaction,
      int valueBytes,
      @Nullable ValueBudget shared) {
    this.outer = outer;
    this.values = values;
    this.moment = moment;
    this.redaction = redaction;
    this.valueBytes = valueBytes;
    this.shared = shared;
  }

  public static Scope of(Map<String, ? extends @Nullable Object> values) {
    return new Scope(
        null,
        new HashMap<>(values),
        Volatile.NONE,
        UnaryOperator.identity(),
        ValueBudget.USUAL,
        null);
  }

  public Scope with(String name, @Nullable Object value) {
    var one = new HashMap<String, @Nullable Object>();
    one.put(name, value);
    return new Scope(this, one, moment, redaction, valueBytes, shared);
  }

  public Scope at(Volatile other) {
    return new Scope(this, Map.of(), other, redaction, valueBytes, shared);
  }

  /** Redacts every value before an error shows it. */
  public Scope redactedBy(UnaryOperator<String> other) {
    return new Scope(this, Map.of(), moment, other, valueBytes, shared);
  }

  /** Sets the size of the largest value that an expression or a template may make. */
  public Scope bounded(int bytes) {
    return new Scope(this, Map.of(), moment, redaction, bytes, null);
  }

  /**
   * Returns a scope in which everything that is made shares one budget: the parts of a request are
   * one value. Used by one thread.
   */
  public Scope asOneValue() {
    return asOneValue(1);
  }

  /** As above, with room for several values. */
  public Scope asOneValue(int times) {
    var room = new ValueBudget((long) times * valueBytes);
    return new Scope(this, Map.of(), moment, redaction, valueBytes, room);
  }

  /** Returns the room for the next value. */
  ValueBudget budget() {
    return shared != null ? shared : new ValueBudget(valueBytes);
  }

  int valueBytes() {
    return valueBytes;
  }

  boolean holds(String name) {
    return values.containsKey(name) || (outer != null && outer.holds(name));
  }

  public @Nullable Object value(String name) {
    return values.containsKey(name) || outer == null ? values.get(name) : outer.value(name);
  }

  Volatile moment() {
    return moment;
  }

  String redact(String text) {
    return redaction.apply(text);
  }

  /** For CEL, a name that is not in the scope is unknown. */
  Optional<Object> find(String name) {
    return holds(name) ? Optional.of(CelValues.toCel(value(name))) : Optional.empty();
  }
}
