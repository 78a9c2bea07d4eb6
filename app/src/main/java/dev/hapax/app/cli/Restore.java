package dev.hapax.app.cli;

import dev.hapax.store.Restoration;
import dev.hapax.store.Store;
import dev.hapax.store.StoreProvider;
import dev.hapax.store.StoreRefused;
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
      "Says what a restored or copied store is. Until then it sends nothing.",
      "As production it replaces the store that it was taken from: what its runs send for the first"
          + " time may have been sent before, so it is in doubt.",
      "As copy the other store lives on: this one gets another identity, its connections are off"
          + " until they are set again, and steps without one and handlers in Java until the setting"
          + " store.copySends names its id.",
      "With --data DIR of a server that does not run it is done there. Do so before the first start"
          + " after a snapshot of the whole folder was put back: nothing else can notice that."
    })
final class Restore extends ServerVerb {
  @Option(names = "--as", paramLabel = "WHAT", required = true, description = "production or copy.")
  String as = "";

  @Override
  Answer answer(Call call, Server server) {
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
    JsonNode said = server.ask(Request.post("/api/restore").json(Map.of("as", what.word()))).json();
    return Answer.of(said, text(what, said.path("store").asString("")));
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
    String data = where().data != null ? where().data : surroundings.variable("HAPAX_DATA");
    return data == null || where().url != null ? null : surroundings.path(data).resolve("hapax.db");
  }

  private static Answer here(Path file, Restoration what) {
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
    return Answer.of(said, text(what, id));
  }

  private static String text(Restoration what, String id) {
    return switch (what) {
      case PRODUCTION ->
          "the store is production from now on: what it sends for the first time is in doubt";
      case COPY ->
          "the store is a copy from now on: set its connections again before its runs can send. Steps without a connection and handlers in Java send when the setting store.copySends is '%s'"
              .formatted(id);
    };
  }
}
