package dev.hapax.app.cli.dev;

import dev.hapax.app.cli.verb.VerbEntry;
import java.util.stream.Stream;

/** The verbs that follow {@code hapax dev}. */
public final class DevVerbs {
  private DevVerbs() {}

  /** Returns them in the order of the help. */
  public static Stream<VerbEntry> all() {
    return Stream.of(
        new VerbEntry("reload", DevReloadVerb::new),
        new VerbEntry("clock", DevClockVerb::new),
        new VerbEntry("lose", DevLoseVerb::new),
        new VerbEntry("delay", DevDelayVerb::new),
        new VerbEntry("double", DevDoubleVerb::new),
        new VerbEntry("fail", DevFailVerb::new),
        new VerbEntry("faults", DevFaultsVerb::new),
        new VerbEntry("requests", DevRequestsVerb::new),
        new VerbEntry("mails", DevMailsVerb::new),
        new VerbEntry("send", DevSendVerb::new));
  }
}
