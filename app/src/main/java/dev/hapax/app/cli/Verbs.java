package dev.hapax.app.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** The verbs of the program, in the order of its help. A verb is added here and nowhere else. */
public final class Verbs {
  private static final List<Entry> OWN =
      List.of(
          new Entry("check", CheckFiles::new),
          new Entry("push", Push::new),
          new Entry("release", Release::new),
          new Entry("promote", Promote::new),
          new Entry("flows", Flows::new),
          new Entry("run", RunFlow::new),
          new Entry("runs", Runs::new),
          new Entry("effects", Effects::new),
          new Entry("review", Review::new),
          new Entry("approvals", Approvals::new),
          new Entry("kv", KeyValue::new),
          new Entry("secrets", Secrets::new),
          new Entry("connections", Connections::new),
          new Entry("resources", Resources::new),
          new Entry("schedules", Schedules::new),
          new Entry("inbox", Inbox::new),
          new Entry("tokens", Tokens::new),
          new Entry("tenants", Tenants::new),
          new Entry("audit", Audit::new),
          new Entry("rekey", Rekey::new),
          new Entry("explain", Explain::new),
          new Entry("doctor", Doctor::new),
          new Entry("backup", Backup::new),
          new Entry("restore", Restore::new),
          new Entry("init", Init::new),
          new Entry("id", Id::new),
          new Entry("profiles", Profiles::new),
          new Entry("completion", Completion::new),
          new Entry("version", Version::new),
          new Entry("warmup", Warmup::new),
          new Entry("help", Help::new));

  private Verbs() {}

  /**
   * A verb by name. It is created only if the command line names it: reading the annotations of all
   * verbs would cost a good part of the start.
   */
  public record Entry(String name, Supplier<Verb> verb) {}

  /** Returns the given verbs of the program, and those of this package. */
  public static List<Entry> with(Entry... others) {
    var all = new ArrayList<>(List.of(others));
    all.addAll(OWN);
    return List.copyOf(all);
  }
}
