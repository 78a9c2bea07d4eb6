package dev.hapax.app.crash;

import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;

/**
 * The input of a run: what it does to the outside, and behind which guards. Child and oracle
 * compute the same order from its number, so they need not exchange it.
 *
 * @param quoted whether steps and a read come before the first effect; without them the run's
 *     insert carries its first intent
 */
public record Order(String id, boolean quoted, List<Guarded> effects) {

  /** Every guard, one effect each. */
  public enum Guarded {
    KEYED,
    UPSERT,
    TRANSACTION,
    LOOKUP,
    NONE;

    /** The name of the step that sends it. */
    String step() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** Which orders there are. */
  public enum Workload {
    /** One order per guard, each with that effect alone. */
    ONE_PER_GUARD {
      @Override
      Order order(int number) {
        return new Order("guard-" + number, true, List.of(List.of(Guarded.values()).get(number)));
      }
    },
    /**
     * As many as are asked for. An unguarded effect has an order of its own: a lost answer parks
     * its run, and behind the others it would hide them.
     */
    MIXED {
      @Override
      Order order(int number) {
        boolean quoted = number % 2 == 0;
        if (number % 5 == 4) {
          return new Order("order-" + number, quoted, List.of(Guarded.NONE));
        }
        var guards = new ArrayList<>(EnumSet.complementOf(EnumSet.of(Guarded.NONE)));
        Collections.rotate(guards, number);
        return new Order("order-" + number, quoted, List.copyOf(guards));
      }
    };

    abstract Order order(int number);
  }
}
