package dev.hapax.connector.kafka;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The process of a broker for tests: formats its folder at the first start, and runs. It ends when
 * its parent has ended in any way.
 */
final class KafkaStarter {
  private KafkaStarter() {}

  /** The argument is the file with the settings, in the folder of the broker. */
  public static void main(String[] arguments) throws Exception {
    Thread.ofPlatform().daemon().start(KafkaStarter::endWithParent);
    Path settings = Path.of(arguments[0]);
    if (Files.notExists(settings.resolveSibling("data/meta.properties"))) {
      Class.forName("kafka.tools.StorageTool")
          .getMethod("execute", String[].class, PrintStream.class)
          .invoke(
              null,
              new String[] {"format", "-t", "AAAAAAAAAAAAAAAAAAAAAQ", "-c", settings.toString()},
              System.err);
    }
    Class.forName("kafka.Kafka")
        .getMethod("main", String[].class)
        .invoke(null, (Object) new String[] {settings.toString()});
  }

  private static void endWithParent() {
    try {
      while (System.in.read() >= 0) {
        // it has nothing to say
      }
    } catch (IOException e) {
      // the same as the end
    }
    Runtime.getRuntime().halt(1);
  }
}
