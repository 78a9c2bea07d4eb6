package dev.hapax.app.cli;

import java.util.stream.Collectors;

/** A verb that only holds others. */
abstract class Group extends Verb {
  @Override
  protected final Answer answer(Call call) {
    throw Refusal.usage(
            "'%s' needs one of: %s"
                .formatted(
                    spec.qualifiedName(),
                    inner().map(VerbEntry::name).collect(Collectors.joining(", "))))
        .hint(spec.qualifiedName() + " --help");
  }
}
