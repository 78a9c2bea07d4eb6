package dev.hapax.app.cli.runs;

import dev.hapax.app.cli.connection.ServerRequest;
import dev.hapax.app.cli.output.Item;
import dev.hapax.app.cli.output.Table;
import dev.hapax.app.cli.output.Words;
import dev.hapax.app.cli.verb.ListVerb;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** A page of the effects that wait for a person's decision. */
abstract class ReviewList extends ListVerb {
  private static final int LONGEST_EVIDENCE = 60;

  @Option(names = "--name", paramLabel = "NAME", description = "Only effects with this name.")
  @Nullable String name;

  @Option(names = "--key", paramLabel = "KEY", description = "Only effects with this key.")
  @Nullable String key;

  @Option(
      names = "--key-prefix",
      paramLabel = "TEXT",
      description = "Only effects whose key begins with this.")
  @Nullable String keyPrefix;

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
      names = "--run",
      paramLabel = "RUN",
      description = "Only effects that this run has claimed.")
  @Nullable String run;

  @Option(names = "--flow", paramLabel = "FLOW", description = "Only reviews of this flow.")
  @Nullable String flow;

  @Option(
      names = "--cause",
      paramLabel = "CAUSE",
      description = "Only reviews with this cause, see: hapax review causes")
  @Nullable String cause;

  @Option(
      names = "--assignee",
      paramLabel = "PERSON",
      description = "Only reviews that this person takes care of.")
  @Nullable String assignee;

  @Override
  protected final ServerRequest request() {
    return ServerRequest.get("/api/reviews")
        .query("name", name)
        .query("key", key)
        .query("keyPrefix", keyPrefix)
        .query("externalId", externalId)
        .query("wireKey", wireKey)
        .query("run", run)
        .query("flow", flow)
        .query("cause", cause)
        .query("assignee", assignee);
  }

  @Override
  protected final Table table() {
    return new Table(
        "EFFECT", "FLOW", "STEP", "KEY", "AGE", "ASSIGNEE", "REV", "ATTEMPTS", "EVIDENCE");
  }

  @Override
  protected final void row(Table table, Item review) {
    String evidence = Words.line(review.text("evidence"));
    table.row(
        review.text("id"),
        review.text("flow"),
        review.text("step"),
        review.text("key"),
        ReviewText.age(review.json().path("ageSeconds").asLong(-1)),
        review.text("assignee"),
        review.text("revision"),
        review.text("attempts"),
        evidence.length() <= LONGEST_EVIDENCE
            ? evidence
            : evidence.substring(0, LONGEST_EVIDENCE) + "…");
  }
}
