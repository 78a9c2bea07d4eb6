package dev.hapax.testkit.mutant;

import java.io.IOException;
import java.lang.instrument.Instrumentation;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.jspecify.annotations.Nullable;

/** A Java agent, to which the JVM gives the right to change loaded classes. */
public final class MutantAgent {
  private static @Nullable Instrumentation given;

  private MutantAgent() {}

  /** Called by the JVM, before the main class. */
  public static void premain(@Nullable String arguments, Instrumentation instrumentation) {
    given = instrumentation;
  }

  static Instrumentation instrumentation() {
    return Objects.requireNonNull(given, "this process was started without the agent");
  }

  /** Returns the JVM option that loads it. The jar names a class of the class path. */
  static String option(Path directory) throws IOException {
    var manifest = new Manifest();
    Attributes attributes = manifest.getMainAttributes();
    attributes.put(Attributes.Name.MANIFEST_VERSION, "1.0");
    attributes.putValue("Premain-Class", MutantAgent.class.getName());
    attributes.putValue("Can-Redefine-Classes", "true");
    Path jar = directory.resolve("mutant-agent.jar");
    new JarOutputStream(Files.newOutputStream(jar), manifest).close();
    return "-javaagent:" + jar;
  }
}
