package dev.hapax.app.cli;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** A page of approvals. */
abstract class ApprovalList extends ListVerb {
  @Option(
      names = "--state",
      paramLabel = "STATE",
      description = "open (if not given), decided, expired or closed.")
  @Nullable String state;

  @Option(names = "--role", paramLabel = "ROLE", description = "That this role may decide.")
  @Nullable String role;

  @Override
  final Request request() {
    return Request.get("/api/approvals").query("state", state).query("role", role);
  }

  @Override
  final Table table() {
    return new Table("APPROVAL", "RUN", "STEP", "ASK", "ROLES", "STATE", "EXPIRES");
  }

  @Override
  final void row(Table table, Item approval) {
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
