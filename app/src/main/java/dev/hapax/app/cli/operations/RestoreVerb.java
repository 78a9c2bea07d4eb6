package dev.hapax.app.cli.operations;

import dev.hapax.app.cli.connection.ServerClient;
import dev.hapax.app.cli.connection.ServerRequest;
import dev.hapax.app.cli.output.Exit;
import dev.hapax.app.cli.output.Refusal;
import dev.hapax.app.cli.output.Surroundings;
import dev.hapax.app.cli.output.VerbAnswer;
import dev.hapax.app.cli.verb.Inputs;
import dev.hapax.app.cli.verb.ServerVerb;
import dev.hapax.app.cli.verb.VerbCall;
import dev.hapax.flow.Restoration;
import dev.hapax.flow.StoreRefused;
import dev.hapax.run.ErasureRecord;
import dev.hapax.store.Batch;
import dev.hapax.store.Change;
import dev.hapax.store.Group;
import dev.hapax.store.Store;
import dev.hapax.store.StoreProvider;
import dev.hapax.time.IdSource;
import dev.hapax.time.Ports;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
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

  @Option(
      names = "--erasures",
      paramLabel = "FILE",
      description =
          "The list of 'hapax subject erasures --all': what it erased for people is erased again"
              + " before anything continues. A store in a file has its own list beside it.")
  @Nullable String erasures;

  @Override
  protected VerbAnswer answer(VerbCall call, ServerClient server) throws IOException {
    Restoration what = what();
    List<String> lines =
        erasures == null
            ? List.of()
            : Inputs.text(erasures, call.surroundings())
                .lines()
                .filter(line -> !line.isBlank())
                .toList();
    Path store = store(call.surroundings());
    if (store != null && Files.exists(store)) {
      try {
        return here(store, what, lines);
      } catch (StoreRefused e) {
        if (!String.valueOf(e.getMessage()).contains("in use")) {
          throw Refusal.of(Exit.REFUSED, "store-refused", String.valueOf(e.getMessage()));
        } // else its server runs
      }
    }
    JsonNode said =
        server
            .ask(
                ServerRequest.post("/api/restore")
                    .json(
                        lines.isEmpty()
                            ? Map.of("as", what.word())
                            : Map.of("as", what.word(), "erasures", lines)))
            .json();
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

  private static VerbAnswer here(Path file, Restoration what, List<String> lines) {
    Ports ports = Ports.system();
    String id;
    List<ErasureRecord> known;
    try {
      known = lines.stream().map(ErasureRecord::parse).toList();
    } catch (IllegalArgumentException e) {
      throw Refusal.of(Exit.REFUSED, "invalid-input", String.valueOf(e.getMessage()));
    }
    try (Store store = StoreProvider.open(provider -> provider.open(file, ports.threads()))) {
      note(store, known, ports);
      store.restore(what, ports.random().nextLong() & Long.MAX_VALUE, ports.clock().now());
      id = Long.toString(store.id(), Character.MAX_RADIX);
    }
    var said = new LinkedHashMap<String, Object>();
    said.put("restored", false);
    said.put("as", what.word());
    said.put("store", id);
    return VerbAnswer.of(said, text(what, id));
  }

  /** The next server that opens the store carries them out before anything else. */
  private static void note(Store store, List<ErasureRecord> known, Ports ports) {
    Instant now = ports.clock().now();
    var ids = new IdSource(ports.clock(), store.newestAt(), store.mark());
    for (ErasureRecord one : known) {
      if (store.erasures().find(one.number()) == null) {
        store.commit(
            new Batch(
                List.of(
                    Group.always(ids.next(), now, List.of(new Change.NoteErasure(one.again()))))));
      }
    }
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
