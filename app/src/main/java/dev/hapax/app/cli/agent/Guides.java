package dev.hapax.app.cli.agent;

import dev.hapax.app.cli.output.Exit;
import dev.hapax.app.cli.output.Refusal;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The guides, which are the pages of the documentation: the program carries them with it. */
final class Guides {
  /** Every page, by folder and name. A test compares them with the folders. */
  static final List<String> TOPICS =
      List.of(
          "flows/agents",
          "flows/blueprints",
          "flows/editors",
          "flows/explain",
          "flows/expressions",
          "flows/fields",
          "flows/flow",
          "flows/guards",
          "flows/keys",
          "flows/llm",
          "flows/mcp",
          "flows/once",
          "flows/proving",
          "flows/queues",
          "flows/releases",
          "flows/running",
          "flows/schedules",
          "flows/ssh",
          "flows/steps",
          "flows/testing",
          "start/author",
          "start/child-runs",
          "start/compensation",
          "start/dev",
          "start/events",
          "start/from-cron",
          "start/from-n8n",
          "start/from-temporal",
          "start/from-zapier",
          "start/hosting",
          "start/java",
          "start/kv-and-resources",
          "start/limits",
          "start/loops",
          "start/schedules",
          "start/server",
          "start/testing",
          "start/transactions",
          "start/ui",
          "start/waits",
          "operate/alerts",
          "operate/bulk",
          "operate/compare",
          "operate/connections",
          "operate/deploy",
          "operate/incident",
          "operate/install",
          "operate/ledger",
          "operate/monitoring",
          "operate/performance",
          "operate/personal-data",
          "operate/presets",
          "operate/receipts",
          "operate/reconcile",
          "operate/reliability",
          "operate/replay",
          "operate/restore",
          "operate/retention",
          "operate/reviews",
          "operate/runbook",
          "operate/scale",
          "operate/search",
          "operate/security",
          "operate/server",
          "operate/store",
          "operate/webhooks",
          "reference/cli",
          "reference/config",
          "reference/errors",
          "reference/http");

  private static final String RULE = "check/";

  private Guides() {}

  /** Returns the title of a page. */
  static String title(String topic) throws IOException {
    String text = found(topic);
    return text == null ? "" : text.lines().findFirst().orElse("").replaceFirst("^# *", "");
  }

  /** Returns a page by its name, with or without its folder, or the page of a rule of check. */
  static String page(String asked) throws IOException {
    String name = asked.replaceFirst("\\.md$", "").replaceFirst("^docs/", "");
    String topic =
        TOPICS.stream()
            .filter(one -> one.equals(name) || one.endsWith("/" + name))
            .findFirst()
            .orElse(null);
    String text = topic != null ? found(topic) : rule(name);
    if (text == null) {
      throw Refusal.of(Exit.NOT_FOUND, "not-found", "there is no guide '%s'".formatted(asked))
          .hint("hapax docs lists the guides");
    }
    return text;
  }

  private static @Nullable String rule(String name) throws IOException {
    String rule = name.replaceFirst("^(flows/)?check/", "");
    return rule.matches("[a-z-]{1,64}") ? found("flows/" + RULE + rule) : null;
  }

  private static @Nullable String found(String topic) throws IOException {
    try (InputStream page = Guides.class.getResourceAsStream("docs/" + topic + ".md")) {
      return page == null ? null : new String(page.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
