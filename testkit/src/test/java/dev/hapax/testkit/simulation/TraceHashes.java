package dev.hapax.testkit.simulation;

import java.util.List;

/** Prints the trace hashes of some seeds of a generator; started in a process of its own. */
final class TraceHashes {
  private TraceHashes() {}

  public static void main(String[] arguments) {
    var generator = Generator.valueOf(arguments[0]);
    for (String seed : List.of(arguments).subList(1, arguments.length)) {
      System.out.println(of(generator, Long.parseLong(seed)));
    }
  }

  static String of(Generator generator, long seed) {
    var result = Simulation.run(generator, Choices.of(seed), Mutation.NONE, false);
    return seed + " " + Long.toHexString(result.trace().hash());
  }
}
