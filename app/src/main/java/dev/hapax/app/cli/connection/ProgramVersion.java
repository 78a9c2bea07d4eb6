package dev.hapax.app.cli.connection;

/** The version of this program, as its jar names it. */
public final class ProgramVersion {
  private ProgramVersion() {}

  public static String text() {
    String version = ProgramVersion.class.getPackage().getImplementationVersion();
    return version == null ? "(not packaged)" : version;
  }
}
