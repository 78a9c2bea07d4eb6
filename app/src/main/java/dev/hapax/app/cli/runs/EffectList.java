package dev.hapax.app.cli.runs;

import dev.hapax.app.cli.connection.ServerRequest;
import dev.hapax.app.cli.output.Item;
import dev.hapax.app.cli.output.Paint;
import dev.hapax.app.cli.output.Sheet;
import dev.hapax.app.cli.output.Table;
import dev.hapax.app.cli.verb.ListVerb;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** A page of the ledger. */
abstract class EffectList extends ListVerb {
  @Option(names = "--name", paramLabel = "NAME", description = "Only effects with this name.")
  @Nullable String name;

  @Option(names = "--key", paramLabel = "KEY", description = "Only effects with this key.")
  @Nullable String key;

  @Option(
      names = "--run",
      paramLabel = "RUN",
      description = "Only effects that this run has claimed, also those that it reused.")
  @Nullable String run;

  @Option(
      names = "--external-id",
      paramLabel = "ID",
      description = "Only effects with this id at the destination.")
  @Nullable String externalId;

  @Option(
      names = "--wire-key",
      paramLabel = "KEY",
      description = "Only the effect that sent this key to the destination.")
  @Nullable String wireKey;

  @Option(
      names = "--key-prefix",
      paramLabel = "TEXT",
      description = "Only effects whose key begins with this.")
  @Nullable String keyPrefix;

  abstract @Nullable String state();

  @Override
  protected final ServerRequest request() {
    return ServerRequest.get("/api/effects")
        .query("name", name)
        .query("key", key)
        .query("state", state())
        .query("run", run)
        .query("externalId", externalId)
        .query("wireKey", wireKey)
        .query("keyPrefix", keyPrefix);
  }

  @Override
  protected final Table table() {
    return new Table("EFFECT", "NAME", "KEY", "STATE", "GUARD", "RUN", "ATTEMPTS", "EXTERNAL ID");
  }

  @Override
  protected final void row(Table table, Item effect) {
    table.row(
        effect.text("id"),
        effect.text("name"),
        effect.text("key"),
        effect.text("state"),
        effect.text("guard"),
        effect.text("run"),
        effect.text("attempts"),
        effect.text("externalId"));
  }

  static String sheet(Item effect, Paint paint) {
    return new Sheet()
        .line("name", effect.text("name"))
        .line("key", effect.text("key"))
        .line("kind", effect.text("kind"))
        .line("guard", effect.text("guard"))
        .line("state", effect.text("state"))
        .line("run", effect.text("run"))
        .line("step", effect.text("step"))
        .line("item", effect.text("item"))
        .line("attempts", effect.text("attempts"))
        .line("revision", effect.text("revision"))
        .line("wire key", effect.text("wireKey"))
        .line("first sent", effect.time("firstSentAt"))
        .line("external id", effect.text("externalId"))
        .line("request", effect.text("request"))
        .line("result", effect.text("result"))
        .line("evidence", effect.text("evidence"))
        .text("effect " + effect.text("id"), paint);
  }
}
