package dev.hapax.flows.expression;

import dev.cel.common.ast.CelExpr;
import dev.cel.common.values.CelByteString;
import dev.hapax.json.ValueBudget;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;

/**
 * What one evaluation may make and compute on its way to its value. All texts, lists and maps that
 * it makes count, because they may be in memory at the same time. Used by one thread.
 */
final class EvaluationRoom {
  /** How many values of the largest size it may make in all. */
  private static final int VALUES = 8;

  /** Nodes that one evaluation may compute; with 10,000 loop rounds, about a tenth of a second. */
  private static final long MOST_COST = 500_000;

  /** Of characters, in searches; about a second. */
  private static final long MOST_COMPARISONS = 2_000_000_000L;

  /** Parts of both that a usual expression stays below: a few milliseconds. */
  private static final long LONG_COST = 20_000;

  private static final long LONG_COMPARISONS = 20_000_000;

  private static final ScopedValue<EvaluationRoom> CURRENT = ScopedValue.newInstance();

  private final ExpressionNodes nodes;
  private final int valueBytes;
  private final ValueBudget made;
  private final Map<Long, Integer> lengths = new HashMap<>();
  private long cost;
  private long comparisons;
  private final LongEvaluations others;
  private boolean isLong;

  EvaluationRoom(ExpressionNodes nodes, int valueBytes) {
    this(nodes, valueBytes, LongEvaluations.OF_PROCESS);
  }

  EvaluationRoom(ExpressionNodes nodes, int valueBytes, LongEvaluations others) {
    this.nodes = nodes;
    this.others = others;
    this.valueBytes = valueBytes;
    this.made =
        new ValueBudget((long) VALUES * valueBytes, "all that it makes on the way to its value");
  }

  /** Refuses a text or list of this size in the evaluation that calls a function. */
  static void require(long bytes) {
    oneValue().require(bytes);
    CURRENT.get().made.require(bytes);
  }

  /** Returns the room for one value of the evaluation that calls a function. */
  static ValueBudget oneValue() {
    return new ValueBudget(CURRENT.get().valueBytes);
  }

  /** Evaluates in this room. */
  <T, E extends Exception> T evaluate(ScopedValue.CallableOp<T, E> evaluation) throws E {
    try {
      return ScopedValue.where(CURRENT, this).call(evaluation);
    } finally {
      if (isLong) {
        others.end();
      }
    }
  }

  /** An evaluation that has become long continues only when it is its turn. */
  private void takeTurnIfLong() {
    if (!isLong && (cost > LONG_COST || comparisons > LONG_COMPARISONS)) {
      others.begin();
      isLong = true;
    }
  }

  /** Counts a value that the evaluation has computed. */
  void computed(CelExpr node, Object value) {
    if (nodes.loop()) {
      count(node, value);
    }
    if (value instanceof String text) {
      countSearch(node, text);
    }
    if (nodes.makes(node)) {
      if (value instanceof CelByteString bytes) {
        made.take(bytes.size());
      } else {
        made.takeValue(value);
      }
    }
  }

  /** At worst, a search compares each character of one text with each of the other. */
  private void countSearch(CelExpr node, String text) {
    if (nodes.isSearched(node)) {
      lengths.put(node.id(), text.length());
    }
    Long in = nodes.searchedFor(node);
    if (in != null) {
      comparisons += (long) text.length() * lengths.getOrDefault(in, 0);
      if (comparisons > MOST_COMPARISONS) {
        throw new TooMuch();
      }
      takeTurnIfLong();
    }
  }

  /** Long texts and lists count by their size, and values that are compared by all their parts. */
  private void count(CelExpr node, Object value) {
    cost += 1;
    if (value instanceof CharSequence text) {
      cost += text.length() / 64;
    } else if (value instanceof Collection<?> list) {
      cost += list.size() / 64;
    }
    if (nodes.compares(node) && (value instanceof Collection<?> || value instanceof Map<?, ?>)) {
      cost += ValueBudget.sizeOf(value, MOST_COST * 64) / 64;
    }
    if (cost > MOST_COST) {
      throw new TooMuch();
    }
    takeTurnIfLong();
  }

  /** The evaluation computes too long. */
  static final class TooMuch extends RuntimeException {
    private static final long serialVersionUID = 1L;

    TooMuch() {
      super("it needs more than %,d computing steps".formatted(MOST_COST));
    }
  }
}
