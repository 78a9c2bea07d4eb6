package dev.hapax.app.cli;

import java.io.IOException;
import java.util.stream.Stream;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/**
 * A command of the program. Each verb has its own class, named by picocli's annotation, with a
 * constructor without parameters. It returns one {@link Answer}, or throws a {@link Refusal}.
 */
public abstract class Verb {
  @Mixin CommonOptions common = new CommonOptions();
  @Spec CommandSpec spec = CommandSpec.create();

  /** Returns the verbs that follow it. */
  Stream<VerbEntry> inner() {
    return Stream.of();
  }

  /** Carries the command out. */
  protected abstract Answer answer(Call call) throws IOException, InterruptedException;
}
