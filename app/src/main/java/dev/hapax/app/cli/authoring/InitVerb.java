package dev.hapax.app.cli.authoring;

import dev.hapax.app.cli.output.Exit;
import dev.hapax.app.cli.output.Refusal;
import dev.hapax.app.cli.output.VerbAnswer;
import dev.hapax.app.cli.verb.Verb;
import dev.hapax.app.cli.verb.VerbCall;
import dev.hapax.flows.file.FlowSchema;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "init",
    description = {
      "Writes a first flow to start from, the schema with which editors complete and explain its keys,"
          + " and AGENTS.md and a skill for agents that write flows.",
      "With --blueprint, a folder with a whole flow, its cases, a stand-in for the systems outside and"
          + " a page of commands.",
      "It never changes an existing file."
    })
public final class InitVerb extends Verb {
  private static final String FILE = "first-order.yaml";
  private static final String SCHEMA = ".hapax/flow.schema.json";
  private static final String AGENTS = "AGENTS.md";
  private static final String SKILL = "hapax-flows/SKILL.md";

  @Parameters(
      paramLabel = "FOLDER",
      arity = "0..1",
      description = "Folder to write to (flows, or the name of the blueprint).")
  @Nullable String folder;

  @Option(
      names = "--blueprint",
      paramLabel = "NAME",
      description = {
        "A whole flow: charge-order, sync-customer, invoice-day, invoice-events, make-video,"
            + " book-journey, generate-code, qualify-lead, answer-ticket, provision-user, nightly-batch or"
            + " reconcile-payments."
      })
  @Nullable String blueprint;

  @Override
  public VerbAnswer answer(VerbCall call) throws IOException {
    return blueprint == null
        ? firstFlow(call, folder == null ? "flows" : folder)
        : blueprint(call, Blueprint.named(blueprint));
  }

  private VerbAnswer blueprint(VerbCall call, Blueprint wanted) throws IOException {
    String into = folder == null ? wanted.name() : folder;
    Map<String, String> files = wanted.files();
    write(call, into, files);
    List<String> next = List.of("hapax test " + into, "hapax prove " + into, "hapax dev " + into);
    var data = new LinkedHashMap<String, Object>();
    data.put("blueprint", wanted.name());
    data.put("files", files.keySet().stream().map(name -> into + "/" + name).toList());
    data.put("schema", Path.of(into).resolve(SCHEMA).toString());
    data.put("agents", Path.of(into).resolve(AGENTS).toString());
    data.put("next", next);
    return VerbAnswer.of(
        data,
        "wrote %s to %s; %s/README.md goes through it. Try next:%n  %s"
            .formatted(wanted.name(), into, into, String.join("\n  ", next)));
  }

  private static void write(VerbCall call, String into, Map<String, String> files)
      throws IOException {
    Path target = call.surroundings().path(into);
    try {
      for (String name : files.keySet()) { // nothing is written if one of them is there
        if (Files.exists(target.resolve(name))) {
          throw new FileAlreadyExistsException(target.resolve(name).toString());
        }
      }
      for (Map.Entry<String, String> file : files.entrySet()) {
        Path written = target.resolve(file.getKey());
        Files.createDirectories(written.resolveSibling(""));
        Files.writeString(written, file.getValue(), StandardOpenOption.CREATE_NEW);
      }
      // Editors find it by the first line of the flow, also without a network.
      writeIfAbsent(target.resolve(SCHEMA), FlowSchema.text());
      writeIfAbsent(target.resolve(AGENTS), resource("agents.md"));
      writeIfAbsent(target.resolve(".agents/skills/" + SKILL), resource("skills/" + SKILL));
    } catch (FileAlreadyExistsException e) {
      throw Refusal.of(Exit.REFUSED, "exists", "'%s' already exists".formatted(e.getFile()))
          .hint("name another folder: hapax init FOLDER");
    }
  }

  private static VerbAnswer firstFlow(VerbCall call, String folder) throws IOException {
    String name = Path.of(folder).resolve(FILE).toString();
    write(call, folder, Map.of(FILE, resource(FILE)));
    List<String> next =
        List.of(
            "hapax check " + name,
            "hapax serve --data hapax-data",
            "hapax push " + name + " --data hapax-data",
            "hapax release first-order --promote --data hapax-data",
            "hapax run first-order --input '{\"orderId\": \"A-1\", \"total\": 40}' --wait --data"
                + " hapax-data");
    var data = new LinkedHashMap<String, Object>();
    data.put("file", name);
    data.put("schema", Path.of(folder).resolve(SCHEMA).toString());
    data.put("agents", Path.of(folder).resolve(AGENTS).toString());
    data.put("next", next);
    return VerbAnswer.of(
        data, "wrote %s. Try next:%n  %s".formatted(name, String.join("\n  ", next)));
  }

  private static void writeIfAbsent(Path file, String text) throws IOException {
    Files.createDirectories(file.resolveSibling(""));
    if (!Files.exists(file)) {
      Files.writeString(file, text, StandardOpenOption.CREATE_NEW);
    }
  }

  private static String resource(String name) throws IOException {
    try (InputStream in = InitVerb.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IOException(name + " is missing in this program");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
