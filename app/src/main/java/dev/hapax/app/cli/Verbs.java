package dev.hapax.app.cli;

import dev.hapax.app.cli.agent.DocsVerb;
import dev.hapax.app.cli.agent.McpVerb;
import dev.hapax.app.cli.authoring.CheckVerb;
import dev.hapax.app.cli.authoring.FlowsVerb;
import dev.hapax.app.cli.authoring.FmtVerb;
import dev.hapax.app.cli.authoring.GraphVerb;
import dev.hapax.app.cli.authoring.ImportVerb;
import dev.hapax.app.cli.authoring.InitVerb;
import dev.hapax.app.cli.authoring.PromoteVerb;
import dev.hapax.app.cli.authoring.ProveVerb;
import dev.hapax.app.cli.authoring.PushVerb;
import dev.hapax.app.cli.authoring.ReleaseVerb;
import dev.hapax.app.cli.authoring.RetireVerb;
import dev.hapax.app.cli.authoring.SchedulesVerb;
import dev.hapax.app.cli.authoring.SchemaVerb;
import dev.hapax.app.cli.authoring.TestVerb;
import dev.hapax.app.cli.bulk.BulkVerb;
import dev.hapax.app.cli.bulk.JobsVerb;
import dev.hapax.app.cli.bulk.ReplayVerb;
import dev.hapax.app.cli.folder.DeployVerb;
import dev.hapax.app.cli.folder.ExportVerb;
import dev.hapax.app.cli.operations.AlertsVerb;
import dev.hapax.app.cli.operations.AuditVerb;
import dev.hapax.app.cli.operations.BackupVerb;
import dev.hapax.app.cli.operations.ConnectionsVerb;
import dev.hapax.app.cli.operations.DoctorVerb;
import dev.hapax.app.cli.operations.KvVerb;
import dev.hapax.app.cli.operations.LedgerVerb;
import dev.hapax.app.cli.operations.ProfilesVerb;
import dev.hapax.app.cli.operations.ReconcileVerb;
import dev.hapax.app.cli.operations.RekeyVerb;
import dev.hapax.app.cli.operations.ResourcesVerb;
import dev.hapax.app.cli.operations.RestoreVerb;
import dev.hapax.app.cli.operations.RetentionVerb;
import dev.hapax.app.cli.operations.SecretsVerb;
import dev.hapax.app.cli.operations.StatusVerb;
import dev.hapax.app.cli.operations.SubjectVerb;
import dev.hapax.app.cli.operations.TenantsVerb;
import dev.hapax.app.cli.operations.TokensVerb;
import dev.hapax.app.cli.runs.ApprovalsVerb;
import dev.hapax.app.cli.runs.EffectsVerb;
import dev.hapax.app.cli.runs.ExplainVerb;
import dev.hapax.app.cli.runs.FindVerb;
import dev.hapax.app.cli.runs.IdVerb;
import dev.hapax.app.cli.runs.InboxVerb;
import dev.hapax.app.cli.runs.OnceVerb;
import dev.hapax.app.cli.runs.OutboxVerb;
import dev.hapax.app.cli.runs.QueuesVerb;
import dev.hapax.app.cli.runs.ReceiptVerb;
import dev.hapax.app.cli.runs.ResumeVerb;
import dev.hapax.app.cli.runs.ReviewVerb;
import dev.hapax.app.cli.runs.RunVerb;
import dev.hapax.app.cli.runs.RunsVerb;
import dev.hapax.app.cli.verb.VerbEntry;
import java.util.ArrayList;
import java.util.List;

/** The verbs of the program, in the order of its help. A verb is added here and nowhere else. */
public final class Verbs {
  private static final List<VerbEntry> OWN =
      List.of(
          new VerbEntry("check", CheckVerb::new),
          new VerbEntry("test", TestVerb::new),
          new VerbEntry("prove", ProveVerb::new),
          new VerbEntry("fmt", FmtVerb::new),
          new VerbEntry("graph", GraphVerb::new),
          new VerbEntry("schema", SchemaVerb::new),
          new VerbEntry("import", ImportVerb::new),
          new VerbEntry("push", PushVerb::new),
          new VerbEntry("release", ReleaseVerb::new),
          new VerbEntry("promote", PromoteVerb::new),
          new VerbEntry("retire", RetireVerb::new),
          new VerbEntry("deploy", () -> new DeployVerb(TestVerb::of)),
          new VerbEntry("export", ExportVerb::new),
          new VerbEntry("flows", FlowsVerb::new),
          new VerbEntry("run", RunVerb::new),
          new VerbEntry("once", OnceVerb::new),
          new VerbEntry("mcp", McpVerb::new),
          new VerbEntry("runs", RunsVerb::new),
          new VerbEntry("replay", ReplayVerb::new),
          new VerbEntry("find", FindVerb::new),
          new VerbEntry("resume", ResumeVerb::new),
          new VerbEntry("effects", EffectsVerb::new),
          new VerbEntry("ledger", LedgerVerb::new),
          new VerbEntry("reconcile", ReconcileVerb::new),
          new VerbEntry("review", ReviewVerb::new),
          new VerbEntry("bulk", BulkVerb::new),
          new VerbEntry("jobs", JobsVerb::new),
          new VerbEntry("receipt", ReceiptVerb::new),
          new VerbEntry("approvals", ApprovalsVerb::new),
          new VerbEntry("alerts", AlertsVerb::new),
          new VerbEntry("kv", KvVerb::new),
          new VerbEntry("secrets", SecretsVerb::new),
          new VerbEntry("connections", ConnectionsVerb::new),
          new VerbEntry("resources", ResourcesVerb::new),
          new VerbEntry("schedules", SchedulesVerb::new),
          new VerbEntry("queues", QueuesVerb::new),
          new VerbEntry("inbox", InboxVerb::new),
          new VerbEntry("outbox", OutboxVerb::new),
          new VerbEntry("tokens", TokensVerb::new),
          new VerbEntry("tenants", TenantsVerb::new),
          new VerbEntry("audit", AuditVerb::new),
          new VerbEntry("rekey", RekeyVerb::new),
          new VerbEntry("explain", ExplainVerb::new),
          new VerbEntry("status", StatusVerb::new),
          new VerbEntry("doctor", DoctorVerb::new),
          new VerbEntry("retention", RetentionVerb::new),
          new VerbEntry("subject", SubjectVerb::new),
          new VerbEntry("backup", BackupVerb::new),
          new VerbEntry("restore", RestoreVerb::new),
          new VerbEntry("docs", DocsVerb::new),
          new VerbEntry("init", InitVerb::new),
          new VerbEntry("id", IdVerb::new),
          new VerbEntry("profiles", ProfilesVerb::new),
          new VerbEntry("completion", CompletionVerb::new),
          new VerbEntry("version", VersionVerb::new),
          new VerbEntry("warmup", WarmupVerb::new),
          new VerbEntry("help", HelpVerb::new));

  private Verbs() {}

  /** Returns the given verbs of the program, and those of this package. */
  public static List<VerbEntry> with(VerbEntry... others) {
    var all = new ArrayList<>(List.of(others));
    all.addAll(OWN);
    return List.copyOf(all);
  }
}
