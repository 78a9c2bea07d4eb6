package dev.hapax.app.cli.runs;

import dev.hapax.app.cli.connection.ServerRequest;
import dev.hapax.app.cli.output.Item;
import dev.hapax.app.cli.output.Table;
import dev.hapax.app.cli.verb.ListVerb;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** A page of approvals. */
abstract class ApprovalList extends ListVerb {
  @Option(
      names = "--state",
      paramLabel = "STATE",
      description = "open (the default), decided, expired or closed.")
  @Nullable String state;

  @Option(
      names = "--role",
      paramLabel = "ROLE",
      description = "Only approvals that this role may decide.")
  @Nullable String role;

  @Override
  protected final ServerRequest request() {
    return ServerRequest.get("/api/approvals").query("state", state).query("role", role);
  }

  @Override
  protected final Table table() {
    return new Table("APPROVAL", "RUN", "STEP", "ASK", "ROLES", "STATE", "EXPIRES");
  }

  @Override
  protected final void row(Table table, Item approval) {
    table.row(
        approval.text("id"),
        approval.text("run"),
        approval.text("step"),
        approval.text("ask"),
        String.join(", ", approval.words("roles")),
        approval.text("state"),
        approval.time("expiresAt"));
  }
}
