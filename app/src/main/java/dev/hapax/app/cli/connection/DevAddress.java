package dev.hapax.app.cli.connection;

import dev.hapax.json.Json;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/**
 * The file in the data folder of {@code hapax dev} by which other commands find its server. It is
 * there while the server runs, and after a crash.
 */
public final class DevAddress {
  private static final String FOLDER = ".hapax-dev";
  private static final String FILE = "dev.json";

  private DevAddress() {}

  /** Returns the data folder of the server of this folder of flows. */
  public static Path dataOf(Path flows) {
    return flows.resolve(FOLDER);
  }

  public static boolean isIn(Path data) {
    return Files.isRegularFile(data.resolve(FILE));
  }

  public static void write(Path data, URI address) throws IOException {
    Files.writeString(data.resolve(FILE), Json.write(Map.of("url", address.toString())) + "\n");
  }

  public static void remove(Path data) throws IOException {
    Files.deleteIfExists(data.resolve(FILE));
  }

  /** Returns the server and its token. */
  public static Target targetIn(Path data) throws IOException {
    String url = Json.tree(Files.readString(data.resolve(FILE))).path("url").asString("");
    return new Target(Address.of(url), Files.readString(data.resolve("admin.token")).strip());
  }
}
