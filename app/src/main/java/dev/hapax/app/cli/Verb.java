package dev.hapax.app.cli;

import java.io.IOException;
import java.util.stream.Stream;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/**
 * A command of the program: a class of its own per verb, named by picocli's annotation, with a
 * constructor without parameters. It says one {@link Answer}, or throws a {@link Refusal}.
 */
public abstract class Verb {
  @Mixin CommonOptions common = new CommonOptions();
  @Spec CommandSpec spec = CommandSpec.create();

  /** The verbs that stand after it. */
  Stream<Verbs.Entry> inner() {
    return Stream.of();
  }

  /** Carries the command out. */
  protected abstract Answer answer(Call call) throws IOException, InterruptedException;
}
