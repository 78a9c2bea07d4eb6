package dev.hapax.app.cli.folder;

import dev.hapax.app.cli.connection.ServerClient;
import dev.hapax.app.cli.connection.ServerRequest;
import dev.hapax.app.cli.output.Item;
import dev.hapax.app.cli.output.VerbAnswer;
import dev.hapax.app.cli.output.Words;
import dev.hapax.app.cli.verb.ServerVerb;
import dev.hapax.app.cli.verb.VerbCall;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

@Command(
    name = "export",
    description = {
      "Writes the live flows, the connections and the deployed alerts of a server as a folder for"
          + " 'hapax deploy'.",
      "Secrets are only named. Drafts and flows without a live release are left out."
    })
public final class ExportVerb extends ServerVerb {
  private static final int PAGE = 200;
  private static final String REDACTED = "[redacted]";

  @Parameters(paramLabel = "DIR", description = "Folder to write to.")
  String folder = "";

  @Option(
      names = "--force",
      description = "Also if the folder is not empty: files of the same names are replaced.")
  boolean force;

  @Override
  protected VerbAnswer answer(VerbCall call, ServerClient server) throws IOException {
    var target = new ExportFolder(call.surroundings().path(folder), force);
    target.refuseUnusable(folder);
    SortedMap<String, String> flows = flows(server);
    SortedMap<String, JsonNode> connections = connections(server);
    var skipped = new ArrayList<String>();
    var files = new ArrayList<String>();
    files.addAll(target.write("flows", flows, ExportFolder::fileName));
    var forms = new TreeMap<String, String>();
    connections.forEach(
        (name, form) -> {
          if (form.toString().contains(REDACTED)) {
            skipped.add(name); // of an older version: its header carries a credential
          } else {
            forms.put(name, YamlForms.write(form));
          }
        });
    // A connection has the name of its file, and no name that a file could not have.
    files.addAll(target.write("connections", forms, (name, _) -> name + ".yaml"));
    JsonNode alerts = server.ask(ServerRequest.get("/api/alerts")).json().path("deployed");
    if (alerts.isObject()) {
      var texts = new TreeMap<String, String>();
      texts.put("alerts", YamlForms.write(alerts));
      files.addAll(target.write("", texts, (name, _) -> name + ".yaml"));
    }
    var data = new LinkedHashMap<String, Object>();
    data.put("folder", folder);
    data.put("files", files);
    data.put("skipped", skipped);
    String left =
        skipped.isEmpty()
            ? ""
            : "left out, because a header carries a credential: %s%n"
                .formatted(Words.line(String.join(", ", skipped)));
    return VerbAnswer.of(
        data,
        "wrote %s and %s to %s%n%snext: hapax deploy %s --plan%n"
            .formatted(
                Words.count(flows.size(), "flow"),
                Words.count(forms.size(), "connection"),
                folder,
                left,
                Words.quoted(folder)));
  }

  /** Returns the texts of the live releases, by flow. */
  private static SortedMap<String, String> flows(ServerClient server) {
    var texts = new TreeMap<String, String>();
    for (Item flow : all(server, "/api/flows")) {
      String live = flow.text("live");
      if (!live.isEmpty()) {
        String name = flow.raw("flow");
        JsonNode release =
            server.ask(ServerRequest.get("/api/flows/{}/releases/{}", name, live)).json();
        texts.put(name, release.path("text").asString());
      }
    }
    return texts;
  }

  private static SortedMap<String, JsonNode> connections(ServerClient server) {
    var forms = new TreeMap<String, JsonNode>();
    for (Item connection : all(server, "/api/connections")) {
      forms.put(connection.raw("name"), connection.json().path("form"));
    }
    return forms;
  }

  private static List<Item> all(ServerClient server, String path) {
    var items = new ArrayList<Item>();
    String after = null;
    do {
      JsonNode page =
          server.ask(ServerRequest.get(path).query("limit", PAGE).query("after", after)).json();
      items.addAll(new Item(page).items("items"));
      after = next(page);
    } while (after != null);
    return items;
  }

  private static @Nullable String next(JsonNode page) {
    String next = page.path("next").asString("");
    return next.isEmpty() ? null : next;
  }
}
