package dev.hapax.app.cli.agent;

import dev.hapax.app.cli.output.Refusal;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** How a client connects to a server. The token stays in a variable: a file may be shared. */
enum ConnectSnippet {
  CLAUDE(
      """
      claude mcp add --transport http hapax %s/mcp --header "Authorization: Bearer $HAPAX_TOKEN"
      """),
  CODEX(
      """
      # ~/.codex/config.toml
      [mcp_servers.hapax]
      url = "%s/mcp"
      bearer_token_env_var = "HAPAX_TOKEN"
      """),
  CURSOR(
      """
      {
        "mcpServers": {
          "hapax": {
            "url": "%s/mcp",
            "headers": {"Authorization": "Bearer ${env:HAPAX_TOKEN}"}
          }
        }
      }
      """);

  private final String text;

  ConnectSnippet(String text) {
    this.text = text;
  }

  private String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  static String of(String client, String url) {
    List<String> words = Arrays.stream(values()).map(ConnectSnippet::word).toList();
    return Arrays.stream(values())
        .filter(snippet -> snippet.word().equals(client))
        .findFirst()
        .orElseThrow(
            () ->
                Refusal.usage("'%s' has no snippet".formatted(client))
                    .hint("hapax mcp --print " + String.join(" | ", words)))
        .text
        .formatted(url);
  }
}
