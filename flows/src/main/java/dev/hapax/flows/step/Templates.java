package dev.hapax.flows.step;

import dev.hapax.flows.expression.Template;
import dev.hapax.flows.expression.ValueTemplate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The texts with expressions in the parts of a record. */
final class Templates {
  private Templates() {}

  /** Returns those of templates and values; a part may be null. */
  static Stream<Template> of(@Nullable Object... parts) {
    return Stream.of(parts)
        .flatMap(
            part ->
                switch (part) {
                  case null -> Stream.empty();
                  case Template template -> Stream.of(template);
                  case ValueTemplate value -> value.templates();
                  default -> throw new IllegalArgumentException("no text: " + part.getClass());
                });
  }
}
