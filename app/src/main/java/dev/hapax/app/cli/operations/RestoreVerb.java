package dev.hapax.app.cli.operations;

import dev.hapax.app.cli.connection.ServerClient;
import dev.hapax.app.cli.connection.ServerRequest;
import dev.hapax.app.cli.output.Exit;
import dev.hapax.app.cli.output.Refusal;
import dev.hapax.app.cli.output.Surroundings;
import dev.hapax.app.cli.output.VerbAnswer;
import dev.hapax.app.cli.verb.ServerVerb;
import dev.hapax.app.cli.verb.VerbCall;
import dev.hapax.flow.Restoration;
import dev.hapax.flow.StoreRefused;
import dev.hapax.store.Store;
import dev.hapax.store.StoreProvider;
import dev.hapax.time.Ports;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

@Command(
    name = "restore",
    description = {
      "Declares what a restored or copied store is. Until then, the store sends nothing.",
      "production: it replaces the store that it was taken from. What its runs send for the first"
          + " time may have been sent before, so it is in doubt.",
      "copy: the other store stays in use. This one gets another identity. Its connections are off"
          + " until you set them again; steps without a connection and handlers in Java are off until"
          + " the setting store.copySends names its id.",
      "With --data DIR of a server that is not running, the command changes the store in that folder."
          + " Do this before the first start after you put back a snapshot of the whole folder:"
          + " nothing else can detect that."
    })
public final class RestoreVerb extends ServerVerb {
  @Option(names = "--as", paramLabel = "WHAT", required = true, description = "production or copy.")
  String as = "";

  @Override
  protected VerbAnswer answer(VerbCall call, ServerClient server) {
    Restoration what = what();
    Path store = store(call.surroundings());
    if (store != null && Files.exists(store)) {
      try {
        return here(store, what);
      } catch (StoreRefused e) {
        if (!String.valueOf(e.getMessage()).contains("in use")) {
          throw Refusal.of(Exit.REFUSED, "store-refused", String.valueOf(e.getMessage()));
        } // else its server runs
      }
    }
    JsonNode said =
        server.ask(ServerRequest.post("/api/restore").json(Map.of("as", what.word()))).json();
    return VerbAnswer.of(said, text(what, said.path("store").asString("")));
  }

  private Restoration what() {
    for (Restoration one : Restoration.values()) {
      if (one.word().equals(as)) {
        return one;
      }
    }
    throw Refusal.usage("--as: expected production or copy, got '%s'".formatted(as));
  }

  private @Nullable Path store(Surroundings surroundings) {
    Path data = where().dataFolder(surroundings);
    return data == null || where().hasUrl() ? null : data.resolve("hapax.db");
  }

  private static VerbAnswer here(Path file, Restoration what) {
    Ports ports = Ports.system();
    String id;
    try (Store store = StoreProvider.open(provider -> provider.open(file, ports.threads()))) {
      store.restore(what, ports.random().nextLong() & Long.MAX_VALUE, ports.clock().now());
      id = Long.toString(store.id(), Character.MAX_RADIX);
    }
    var said = new LinkedHashMap<String, Object>();
    said.put("restored", false);
    said.put("as", what.word());
    said.put("store", id);
    return VerbAnswer.of(said, text(what, id));
  }

  private static String text(Restoration what, String id) {
    return switch (what) {
      case PRODUCTION ->
          "the store is production now: what it sends for the first time is in doubt";
      case COPY ->
          "the store is a copy now: set its connections again before its runs can send. Steps without a connection and handlers in Java send when the setting store.copySends is '%s'"
              .formatted(id);
    };
  }
}
