package dev.hapax.app.cli.verb;

import dev.hapax.app.cli.output.Refusal;
import dev.hapax.app.cli.output.VerbAnswer;
import java.io.IOException;
import java.util.stream.Stream;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/**
 * A command of the program. Each verb has its own class, named by picocli's annotation, with a
 * constructor without parameters. It returns one {@link VerbAnswer}, or throws a {@link Refusal}.
 */
public abstract class Verb {
  @Mixin CommonOptions common = new CommonOptions();
  @Spec protected CommandSpec spec = CommandSpec.create();

  /** Returns the verbs that follow it. */
  public Stream<VerbEntry> inner() {
    return Stream.of();
  }

  /** Carries the command out. */
  public abstract VerbAnswer answer(VerbCall call) throws IOException, InterruptedException;
}
