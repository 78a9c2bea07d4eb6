package dev.hapax.app.cli.verb;

import dev.hapax.app.cli.output.Refusal;
import dev.hapax.app.cli.output.VerbAnswer;
import java.util.stream.Collectors;

/** A verb that only holds others. */
public abstract class VerbGroup extends Verb {
  @Override
  public final VerbAnswer answer(VerbCall call) {
    throw Refusal.usage(
            "'%s' needs one of: %s"
                .formatted(
                    spec.qualifiedName(),
                    inner().map(VerbEntry::name).collect(Collectors.joining(", "))))
        .hint(spec.qualifiedName() + " --help");
  }
}
