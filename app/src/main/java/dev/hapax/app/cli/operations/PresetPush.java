package dev.hapax.app.cli.operations;

import dev.hapax.app.cli.connection.ServerClient;
import dev.hapax.app.cli.connection.ServerRequest;
import dev.hapax.app.cli.output.Exit;
import dev.hapax.app.cli.output.Refusal;
import dev.hapax.app.cli.output.Surroundings;
import dev.hapax.app.cli.verb.Inputs;
import dev.hapax.flows.preset.Preset;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Writes the secrets of a preset and its connection to a server. The connection is last and only
 * new: if the command is interrupted, it can be given again.
 */
final class PresetPush {
  private final ServerClient server;
  private final Preset preset;
  private final String connection;
  private final Surroundings surroundings;
  private final Map<String, String> files;

  PresetPush(
      ServerClient server,
      Preset preset,
      String connection,
      Surroundings surroundings,
      Map<String, String> files) {
    this.server = server;
    this.preset = preset;
    this.connection = connection;
    this.surroundings = surroundings;
    this.files = files;
  }

  /** The secrets that were written, those that are still missing, and what to do next. */
  record Done(List<String> secrets, List<String> missing, List<String> next) {}

  Done push(Map<?, ?> settings) throws IOException {
    refuseUnknownFiles();
    if (server.send(ServerRequest.get("/api/connections/{}", connection)).status() == 200) {
      throw exists();
    }
    Set<String> known = knownSecrets();
    var written = new ArrayList<String>();
    var missing = new ArrayList<String>();
    boolean isFirst = true;
    for (Preset.Secret secret : preset.secrets()) {
      String name = Preset.secretOf(connection, secret);
      String value = known.contains(name) ? null : value(secret, name, isFirst);
      isFirst = false;
      if (value != null) {
        server.ask(ServerRequest.put("/api/secrets/{}", name).json(Map.of("value", value)));
        written.add(name);
      } else if (!known.contains(name)) {
        missing.add(name);
      }
    }
    try {
      server.ask(
          ServerRequest.put("/api/connections/{}", connection)
              .header("If-Match", "\"0\"") // only if there is none
              .json(settings));
    } catch (Refusal refusal) {
      throw refusal.code().equals("stale") ? exists() : refusal;
    }
    var next = new ArrayList<String>();
    missing.forEach(name -> next.add("hapax secrets put " + name));
    next.add("hapax connections test " + connection);
    return new Done(List.copyOf(written), List.copyOf(missing), List.copyOf(next));
  }

  private Refusal exists() {
    return Refusal.of(
            Exit.REFUSED, "exists", "there is a connection '%s' already".formatted(connection))
        .hint(
            "choose another name with --name, or write a file with --out and compare: hapax"
                + " connections show "
                + connection);
  }

  private void refuseUnknownFiles() {
    List<String> names = preset.secrets().stream().map(Preset.Secret::name).toList();
    for (String given : files.keySet()) {
      if (!names.contains(given)) {
        throw Refusal.usage(
            "--secret-file: preset '%s' has no secret '%s'; it has %s"
                .formatted(preset.preset(), given, names));
      }
    }
  }

  /** Returns the names of all secrets of the tenant: none of them is replaced. */
  private Set<String> knownSecrets() {
    var names = new HashSet<String>();
    String after = null;
    do {
      JsonNode page =
          server
              .ask(ServerRequest.get("/api/secrets").query("limit", 200).query("after", after))
              .json();
      page.path("items").forEach(item -> names.add(item.path("name").asString("")));
      String next = page.path("next").asString("");
      after = next.isEmpty() ? null : next;
    } while (after != null);
    return names;
  }

  /** Returns null if none is given; a person can skip one, and a pipe gives the first one only. */
  private @Nullable String value(Preset.Secret secret, String name, boolean isFirst)
      throws IOException {
    String file = files.get(secret.name());
    String typed = null;
    if (file == null) {
      typed =
          surroundings
              .keyboard()
              .ask("%s, for '%s' (not shown; empty: later): ".formatted(secret.ask(), name));
      if (typed == null && isFirst && files.isEmpty()) {
        file = "-";
      }
    }
    String text = typed == null && file != null ? Inputs.text(file, surroundings) : typed;
    String value = text == null ? "" : text.replaceFirst("\\r?\\n$", "");
    return value.isEmpty() ? null : value;
  }
}
