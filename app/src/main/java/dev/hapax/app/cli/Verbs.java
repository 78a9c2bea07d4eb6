package dev.hapax.app.cli;

import java.util.ArrayList;
import java.util.List;

/** The verbs of the program, in the order of its help. A verb is added here and nowhere else. */
public final class Verbs {
  private static final List<VerbEntry> OWN =
      List.of(
          new VerbEntry("check", CheckFiles::new),
          new VerbEntry("push", Push::new),
          new VerbEntry("release", Release::new),
          new VerbEntry("promote", Promote::new),
          new VerbEntry("flows", Flows::new),
          new VerbEntry("run", RunFlow::new),
          new VerbEntry("runs", Runs::new),
          new VerbEntry("effects", Effects::new),
          new VerbEntry("review", Review::new),
          new VerbEntry("approvals", Approvals::new),
          new VerbEntry("kv", KeyValue::new),
          new VerbEntry("secrets", Secrets::new),
          new VerbEntry("connections", Connections::new),
          new VerbEntry("resources", Resources::new),
          new VerbEntry("schedules", Schedules::new),
          new VerbEntry("inbox", Inbox::new),
          new VerbEntry("tokens", Tokens::new),
          new VerbEntry("tenants", Tenants::new),
          new VerbEntry("audit", Audit::new),
          new VerbEntry("rekey", Rekey::new),
          new VerbEntry("explain", Explain::new),
          new VerbEntry("doctor", Doctor::new),
          new VerbEntry("backup", Backup::new),
          new VerbEntry("restore", Restore::new),
          new VerbEntry("init", Init::new),
          new VerbEntry("id", Id::new),
          new VerbEntry("profiles", Profiles::new),
          new VerbEntry("completion", Completion::new),
          new VerbEntry("version", Version::new),
          new VerbEntry("warmup", Warmup::new),
          new VerbEntry("help", Help::new));

  private Verbs() {}

  /** Returns the given verbs of the program, and those of this package. */
  public static List<VerbEntry> with(VerbEntry... others) {
    var all = new ArrayList<>(List.of(others));
    all.addAll(OWN);
    return List.copyOf(all);
  }
}
