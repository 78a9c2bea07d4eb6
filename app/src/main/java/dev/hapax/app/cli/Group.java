package dev.hapax.app.cli;

/** A verb that only holds others. */
abstract class Group extends Verb {
  @Override
  protected final Answer answer(Call call) {
    throw Refusal.usage(
            "'%s' needs one of: %s"
                .formatted(spec.qualifiedName(), String.join(", ", spec.subcommands().keySet())))
        .hint(spec.qualifiedName() + " --help");
  }
}
