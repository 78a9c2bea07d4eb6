package dev.hapax.app.cli;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

/** A verb that shows a page of a list. */
abstract class ListVerb extends ServerVerb {
  @Option(names = "--limit", paramLabel = "N", description = "How many at most, up to 200.")
  @Nullable Integer limit;

  @Option(names = "--after", paramLabel = "CURSOR", description = "Go on after a page: its 'next'.")
  @Nullable String after;

  @Override
  final Answer answer(Call call, Server server) {
    JsonNode page = server.ask(request().query("limit", limit).query("after", after)).json();
    Table table = table();
    page.path("items").forEach(item -> row(table, new Item(item)));
    String next = page.path("next").asString("");
    String more = next.isEmpty() ? "" : "more: --after %s%n".formatted(next);
    return Answer.of(page, table.text(call.paint(), "none") + more);
  }

  /** Returns the request, filters included. */
  abstract Request request();

  /** Returns an empty table with the headings. */
  abstract Table table();

  abstract void row(Table table, Item item);
}
