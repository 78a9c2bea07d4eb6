package dev.hapax.app.cli.verb;

import dev.hapax.app.cli.connection.ServerClient;
import dev.hapax.app.cli.connection.ServerRequest;
import dev.hapax.app.cli.output.Item;
import dev.hapax.app.cli.output.Table;
import dev.hapax.app.cli.output.VerbAnswer;
import dev.hapax.app.cli.output.Words;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

/** A verb that shows a page of a list. */
public abstract class ListVerb extends ServerVerb {
  @Option(names = "--limit", paramLabel = "N", description = "Maximum number of items, up to 200.")
  @Nullable Integer limit;

  @Option(
      names = "--after",
      paramLabel = "CURSOR",
      description = "Continue after a page: its 'next'.")
  @Nullable String after;

  @Override
  protected final VerbAnswer answer(VerbCall call, ServerClient server) {
    JsonNode page = server.ask(request().query("limit", limit).query("after", after)).json();
    Table table = table();
    page.path("items").forEach(item -> row(table, new Item(item)));
    String next = page.path("next").asString("");
    String more = next.isEmpty() ? "" : "more: --after %s%n".formatted(Words.plain(next));
    return VerbAnswer.of(page, table.text(call.paint(), "none") + more);
  }

  /** Returns the request, filters included. */
  protected abstract ServerRequest request();

  /** Returns an empty table with the headings. */
  protected abstract Table table();

  protected abstract void row(Table table, Item item);
}
