package dev.hapax.app;

/** What tests of other packages need of the demo. */
public final class DemoParts {
  private DemoParts() {}

  /** Returns the program that the demo runs as its server. */
  public static Class<?> server() {
    return DemoServer.class;
  }
}
