package dev.hapax.app.cli.folder;

import dev.hapax.app.cli.output.VerbAnswer;
import dev.hapax.app.cli.verb.VerbCall;
import java.io.IOException;

/** Runs the cases of a folder ({@code *.test.yaml}) before it is deployed. */
@FunctionalInterface
public interface FolderCases {
  /** Runs all cases; the answer has a refusal if one failed, or could not be read. */
  VerbAnswer run(VerbCall call, String folder) throws IOException, InterruptedException;
}
