package dev.hapax.app.queue;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** Messages that a broken or hostile sender may send; a seed makes the same ones again. */
final class HostileMessages {
  private static final int LARGE = 900_000;
  private static final int TOO_LARGE = 2_500_000;

  private final Random random;

  HostileMessages(long seed) {
    random = new Random(seed);
  }

  /** What a sender decides about a message; a broker carries as much of it as it can. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Hostile(
      String id, byte @Nullable [] key, Map<String, byte[]> headers, byte @Nullable [] body) {}

  /** Returns those that once blocked a queue, and so many others. */
  List<Hostile> some(int number) {
    byte[] fine = bytes("{\"order\": \"hostile\"}");
    var all = new ArrayList<Hostile>();
    all.add(new Hostile("漢".repeat(400), null, Map.of(), fine));
    all.add(new Hostile("я".repeat(500), null, Map.of(), fine));
    all.add(new Hostile("nul\0", null, Map.of(), fine));
    all.add(new Hostile("a", null, Map.of("h", filled(1, LARGE)), fine));
    all.add(new Hostile("b", filled(1, LARGE), Map.of(), fine));
    all.add(new Hostile("c", null, Map.of(), bytes("{\"order\": \"\\ud800\"}")));
    all.add(new Hostile("d", null, Map.of(), bytes("{\"order\": \"\\u0000\"}")));
    all.add(new Hostile("e", null, Map.of(), null));
    for (int i = 0; i < number; i++) {
      all.add(any());
    }
    return all;
  }

  private Hostile any() {
    var headers = new LinkedHashMap<String, byte[]>();
    for (int i = random.nextInt(4); i > 0; i--) {
      headers.put(text(), value());
    }
    return new Hostile(text(), random.nextBoolean() ? value() : null, headers, body());
  }

  private String text() {
    int length = random.nextInt(1, 520);
    return switch (random.nextInt(12)) {
      case 0 -> "";
      case 1 -> " ";
      case 2 -> "\0".repeat(random.nextInt(1, 5)) + random.nextInt();
      case 3 -> "\u0001".repeat(length);
      case 4 -> "漢".repeat(length);
      case 5 -> "я".repeat(length);
      case 6 -> "😀".repeat(length / 2 + 1);
      case 7 -> "a".repeat(List.of(255, 500, 501, 900, 901, 1024, 1025).get(random.nextInt(7)));
      case 8 -> "\"\\${event.id} %s %n ' ; -- \r\n\t" + random.nextInt();
      case 9 -> "\u202e\ufeff\uffff\u2028" + random.nextInt();
      case 10 -> "../../" + random.nextInt() + "/[\"x\"]";
      default -> "id-" + random.nextInt(1_000_000);
    };
  }

  private byte[] value() {
    return switch (random.nextInt(8)) {
      case 0 -> new byte[0];
      case 1 -> noise(random.nextInt(1, 3_000));
      case 2 -> filled(random.nextInt(3), random.nextInt(1, 60_000));
      default -> bytes(text());
    };
  }

  private byte @Nullable [] body() {
    return switch (random.nextInt(20)) {
      case 0 -> null;
      case 1 -> new byte[0];
      case 2 -> noise(random.nextInt(1, 5_000));
      case 3 -> bytes("{\"order\": ");
      case 4 -> bytes("[".repeat(10_000));
      case 5 -> bytes("[".repeat(2_000) + "]".repeat(2_000));
      case 6 -> bytes("{\"order\": 1e999999999}");
      case 7 -> bytes("{\"order\": %s}".formatted("9".repeat(2_000)));
      case 8 -> bytes("{\"order\": \"x\", \"order\": \"y\"}");
      case 9 -> bytes("{\"order\": \"%s\"}".formatted("\\u0001".repeat(60_000)));
      case 10 -> filled(random.nextInt(256), random.nextInt(10) == 0 ? TOO_LARGE : 20_000);
      case 11 -> bytes("null");
      case 12 -> bytes("{\"order\": {\"a\": [null, true]}}");
      case 13 -> bytes("\ufeff{\"order\": \"bom\"}");
      case 14 -> "{\"order\": \"wide\"}".getBytes(StandardCharsets.UTF_16);
      case 15 -> bytes("{\"order\": \"%s\"}".formatted("x".repeat(1_100)));
      case 16 -> bytes("{\"order\": \"\\udc00\\u0000\"}");
      case 17 -> bytes("{\"order\": \"\"}");
      default -> bytes("{\"order\": \"h-%d\"}".formatted(random.nextInt(1_000_000)));
    };
  }

  private byte[] noise(int length) {
    byte[] noise = new byte[length];
    random.nextBytes(noise);
    return noise;
  }

  private static byte[] filled(int value, int length) {
    byte[] filled = new byte[length];
    Arrays.fill(filled, (byte) value);
    return filled;
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
