package dev.hapax.app.cli.verb;

import picocli.CommandLine.Option;

/** The options of every verb. */
final class CommonOptions {
  @Option(names = "--json", description = "Print one JSON document, also on a terminal.")
  boolean json;

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Show this help.")
  boolean help;
}
