package dev.hapax.app.cli;

import picocli.CommandLine.Option;

/** What every verb understands. */
final class CommonOptions {
  @Option(names = "--json", description = "Answer with one JSON document, also on a terminal.")
  boolean json;

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Show this help.")
  boolean help;
}
