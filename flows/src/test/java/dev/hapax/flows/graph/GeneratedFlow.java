package dev.hapax.flows.graph;

import java.util.Random;
import org.jspecify.annotations.Nullable;

/** A flow file by a seed: branches inside of branches, loops, ways back, texts of any length. */
final class GeneratedFlow {
  private final Random random;
  private final StringBuilder text = new StringBuilder();
  private int steps;

  private GeneratedFlow(int seed) {
    this.random = new Random(seed);
  }

  static String of(int seed) {
    var flow = new GeneratedFlow(seed);
    flow.text.append("flow: generated-").append(seed).append("\nkey: ${input.id}\n");
    if (flow.random.nextBoolean()) {
      flow.text.append(
          """
          triggers:
            - webhook: {path: a/b, verify: {scheme: none}}
            - schedule: {name: nightly, cron: "0 3 * * *", timezone: Europe/Berlin}
          """);
    }
    flow.text.append("steps:\n");
    flow.list("  ", 0);
    return flow.text.toString();
  }

  private void list(String indent, int depth) {
    int count = 1 + random.nextInt(4);
    String first = null;
    for (int i = 0; i < count; i++) {
      String id = "s" + ++steps;
      text.append(indent).append("- id: ").append(id).append('\n');
      common(indent + "  ");
      kind(indent + "  ", depth, first);
      first = first == null || random.nextInt(3) == 0 ? id : first;
    }
  }

  private void common(String indent) {
    if (random.nextInt(4) == 0) {
      text.append(indent).append("when: ${input.a == '").append(words()).append("'}\n");
    }
    if (random.nextInt(6) == 0) {
      text.append(indent).append("forEach: ${input.").append(field()).append("}\n");
      text.append(indent).append("itemKey: ${item}\n");
    }
    if (random.nextInt(6) == 0) {
      text.append(indent).append("lock: ").append(words()).append('\n');
    }
    if (random.nextInt(6) == 0) {
      text.append(indent).append("onError: continue\n");
    }
  }

  private void kind(String indent, int depth, @Nullable String first) {
    switch (random.nextInt(depth < 4 ? 9 : 6)) {
      case 0 -> text.append(indent).append("wait: {for: 10m}\n");
      case 1 -> text.append(indent).append("set: {").append(field()).append(": 1}\n");
      case 2 -> text.append(indent).append("fail: {code: ").append(field()).append("}\n");
      case 3 -> {
        text.append(indent).append("approval: {ask: \"").append(words()).append("\", expires: 1d");
        text.append(first == null ? "" : ", rework: " + first).append("}\n");
      }
      case 4 -> text.append(indent).append("flow: {name: other}\n");
      case 5 -> {
        text.append(indent).append("http: {connection: shop, method: PUT, path: \"/");
        text.append(words()).append("\"}\n").append(indent);
        text.append("effect: {kind: update, key: \"${input.id}\", guard: upsert}\n");
        if (random.nextBoolean()) {
          text.append(indent).append("compensate:\n").append(indent);
          text.append("  http: {connection: shop, method: DELETE, path: \"/");
          text.append(words()).append("\"}\n");
        }
      }
      case 6 -> {
        text.append(indent).append("parallel:\n").append(indent).append("  branches:\n");
        for (int i = random.nextInt(4); i >= 0; i--) {
          text.append(indent).append("    ").append(field()).append(i).append(":\n");
          list(indent + "      ", depth + 1);
        }
      }
      default -> {
        text.append(indent).append("choose:\n");
        for (int i = random.nextInt(3); i >= 0; i--) {
          text.append(indent).append("  - when: ${input.").append(field()).append(" > 1}\n");
          text.append(indent).append("    steps:\n");
          list(indent + "      ", depth + 1);
        }
        if (random.nextBoolean()) {
          text.append(indent).append("  - otherwise:\n");
          list(indent + "      ", depth + 1);
        }
      }
    }
  }

  private String field() {
    return "abcdefghijklmnopqrstuvwxyz".substring(0, 1 + random.nextInt(26));
  }

  private String words() {
    return switch (random.nextInt(4)) {
      case 0 -> "a";
      case 1 -> "WWWWWWWWWW ".repeat(1 + random.nextInt(8)) + "W";
      case 2 -> "注文番号".repeat(1 + random.nextInt(12));
      default -> "some words of <usual> length & more ".repeat(1 + random.nextInt(3)) + "z";
    };
  }
}
