package dev.hapax.app.crash.feature;

import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/**
 * The input of a run. The process, the parties outside and the oracle compute all else from the
 * number, so they need not exchange it.
 */
record Case(int number) {

  /** What a case is about. */
  enum Kind {
    /** Effects with an undo each; every second one fails at the last step, and is compensated. */
    TRIP,
    /** Work that people approve, in rounds. */
    OFFER,
    /** A callback whose token an effect hands out. */
    PAYMENT,
    /** Branches, a loop with a bad item, child runs, a counter and a message. */
    ORDER,
    /** A limit per shelf, and a lock that is held over a wait. */
    STOCK,
    /** Comes as an event, more than once, and is soon forgotten. */
    NOTE;

    String flow() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  private static final int LINES = 6;
  private static final int SHELVES = 2;

  static Case of(String key) {
    return new Case(Integer.parseInt(key.substring(key.indexOf('-') + 1)));
  }

  Kind kind() {
    return List.of(Kind.values()).get(number % Kind.values().length);
  }

  String key() {
    return kind().flow() + "-" + number;
  }

  /** The how many-th of its kind it is, from 0. */
  private int turn() {
    return number / Kind.values().length;
  }

  /** Of a trip: it cannot be paid. */
  boolean isDoomed() {
    return turn() % 2 == 0;
  }

  /** Of a trip: nothing removes a second cancellation of the car, so a doubt needs a person. */
  boolean isUnguarded() {
    return turn() % 4 == 0;
  }

  /** Of an offer or a payment: no answer comes before it expires. */
  boolean isIgnored() {
    return turn() % 3 == 2;
  }

  /** Of an order: the parts of its loop. */
  List<String> lines() {
    return IntStream.range(0, LINES).mapToObj(line -> key() + "/" + line).toList();
  }

  /** Of an order: this part fails until a person has repaired it. */
  boolean isPoisoned(String line) {
    return turn() % 2 == 0 && line.equals(lines().get(LINES / 2));
  }

  /** Of an order: two of them go with one shipment. */
  String shipment() {
    return "shipment-" + turn() / 2;
  }

  /** Of a stock. */
  String shelf() {
    return "shelf-" + turn() % SHELVES;
  }

  /** All shelves that there are. */
  static List<String> shelves() {
    return IntStream.range(0, SHELVES).mapToObj(shelf -> "shelf-" + shelf).toList();
  }
}
