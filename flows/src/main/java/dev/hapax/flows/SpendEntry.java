package dev.hapax.flows;

import dev.hapax.flow.KvResult;
import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * An entry of the account of model calls, as it was read and as {@link SpendBook} is to write it.
 */
final class SpendEntry {
  static final String COST = "cost";
  static final String RESERVED = "reserved";

  /** How much of the cost nobody has confirmed. */
  private static final String UNKNOWN = "unknown";

  /** What is reserved, by the day from which it counts as spent. */
  private static final String OPEN = "open";

  final String key;
  final long version;
  final Map<String, Object> members = new LinkedHashMap<>();

  SpendEntry(String key, KvResult found) {
    this.key = key;
    this.version = found.version();
    if (found.value(Object.class) instanceof Map<?, ?> known) {
      known.forEach((name, value) -> members.put(String.valueOf(name), value));
    }
  }

  BigDecimal amount(String name) {
    return decimal(members.get(name));
  }

  void count(String name, long more) {
    long before = members.get(name) instanceof Number number ? number.longValue() : 0;
    members.put(name, before + more);
  }

  /**
   * Reserves an amount.
   *
   * @param until the day from which it counts as spent, if it is not released before
   */
  void reserve(@Nullable BigDecimal amount, String until) {
    if (amount == null || amount.signum() == 0) {
      return;
    }
    Map<String, Object> open = open();
    add(members, RESERVED, amount);
    add(open, until, amount);
    members.put(OPEN, open);
  }

  /**
   * Takes back what was reserved, also if it counts as spent meanwhile.
   *
   * @param until of the reservation; null if an earlier version made it, which knew no such day
   */
  void release(@Nullable BigDecimal amount, @Nullable String until) {
    if (amount == null || amount.signum() == 0) {
      return;
    }
    BigDecimal back = amount.negate();
    Map<String, Object> open = open();
    if (until != null && !open.containsKey(until)) {
      add(members, COST, back);
      add(members, UNKNOWN, back);
      return;
    }
    add(members, RESERVED, back);
    if (until != null) {
      add(open, until, back);
      if (decimal(open.get(until)).signum() == 0) {
        open.remove(until);
      }
      members.put(OPEN, open);
    }
  }

  void spend(@Nullable BigDecimal amount, boolean isKnown) {
    if (amount == null) {
      return;
    }
    add(members, COST, amount);
    if (!isKnown) {
      add(members, UNKNOWN, amount);
    }
  }

  /** What was reserved until this day or an earlier one counts as spent. */
  void spendOpenUntil(String day) {
    Map<String, Object> open = open();
    open.forEach(
        (until, amount) -> {
          if (until.compareTo(day) <= 0) {
            add(members, RESERVED, decimal(amount).negate());
            spend(decimal(amount), false);
          }
        });
    if (open.keySet().removeIf(until -> until.compareTo(day) <= 0)) {
      members.put(OPEN, open);
    }
  }

  private Map<String, Object> open() {
    var open = new TreeMap<String, Object>();
    if (members.get(OPEN) instanceof Map<?, ?> known) {
      known.forEach((until, amount) -> open.put(String.valueOf(until), amount));
    }
    return open;
  }

  private static void add(Map<String, Object> amounts, String name, BigDecimal more) {
    BigDecimal sum = decimal(amounts.get(name)).add(more);
    amounts.put(name, sum.signum() == 0 ? BigDecimal.ZERO : sum.stripTrailingZeros());
  }

  static BigDecimal decimal(@Nullable Object value) {
    return value instanceof Number number ? new BigDecimal(number.toString()) : BigDecimal.ZERO;
  }
}
