package dev.hapax.app.cli.runs;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** A page of the ledger, by state. */
abstract class EffectsByState extends EffectList {
  @Option(
      names = "--state",
      paramLabel = "STATE",
      description = "pending, doubt, review, done, failed, undone or abandoned.")
  @Nullable String state;

  @Override
  final @Nullable String state() {
    return state;
  }
}
