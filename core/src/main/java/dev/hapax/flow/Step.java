package dev.hapax.flow;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A step of a run by its name, by its item in a loop, and by its round where work is done again
 * after a rework.
 *
 * @param round from the second on; null in the first, so that a run without rounds has none in its
 *     journal
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Step(String name, @Nullable String item, @Nullable Integer round) {
  public Step(String name, @Nullable String item) {
    this(name, item, null);
  }

  /** The round that it belongs to, counted from 1. */
  public int roundNumber() {
    return round == null ? 1 : round;
  }

  /** The same step in this round, counted from 1. */
  public Step inRound(int number) {
    return new Step(name, item, number == 1 ? null : Integer.valueOf(number));
  }

  /** The item of the outermost loop around the step. */
  public @Nullable String outermostItem() {
    String inner = item;
    int end = inner == null ? -1 : inner.indexOf(Names.BETWEEN_ITEMS);
    return inner == null || end < 0 ? inner : inner.substring(0, end);
  }

  /**
   * The step that undoes this one.
   *
   * @param time which of the effects that this step sent, from 1 on; mostly there is one
   */
  public Step undo(int time) {
    return new Step(name + Names.UNDO + (time == 1 ? "" : "-" + time), item, round);
  }

  /** Whether it undoes another one. */
  @JsonIgnore
  public boolean isUndo() {
    return name.contains(Names.UNDO);
  }

  /** Written by hand, because a replay looks up every recorded step: loop steps differ by item. */
  @Override
  public boolean equals(@Nullable Object other) {
    return this == other
        || (other instanceof Step(var otherName, var otherItem, var otherRound)
            && Objects.equals(item, otherItem)
            && name.equals(otherName)
            && Objects.equals(round, otherRound));
  }

  @Override
  public int hashCode() {
    int hash = 31 * name.hashCode() + (item == null ? 0 : item.hashCode());
    return round == null ? hash : 31 * hash + round;
  }

  @Override
  public String toString() {
    return "'"
        + name
        + "'"
        + (item == null ? "" : " of item '" + item + "'")
        + (round == null ? "" : " in round " + round);
  }
}
