package dev.hapax.testkit.simulation;

import java.io.PrintWriter;
import java.io.StringWriter;

/**
 * The simulation itself cannot go on: a thread blocks outside the ports, or nothing is left to do.
 */
public final class SimulationStuck extends RuntimeException {
  private static final long serialVersionUID = 1L;

  SimulationStuck(String problem, String threads) {
    super(problem + "\n" + threads);
  }

  static String text(Throwable thrown) {
    var text = new StringWriter();
    thrown.printStackTrace(new PrintWriter(text));
    return text.toString();
  }
}
