package dev.hapax.app.cli.verb;

import dev.hapax.app.cli.output.Output;
import dev.hapax.app.cli.output.Paint;
import dev.hapax.app.cli.output.Surroundings;
import java.util.function.Supplier;
import picocli.CommandLine;

/**
 * One use of a verb: where it runs and where its answer goes.
 *
 * @param program the whole command line with all verbs, for verbs that describe it
 */
public record VerbCall(Surroundings surroundings, Output output, Supplier<CommandLine> program) {
  public Paint paint() {
    return output.paint();
  }
}
