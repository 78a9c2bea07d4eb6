package dev.hapax.app.cli.folder;

import dev.hapax.app.cli.connection.Address;
import dev.hapax.app.cli.connection.ServerClient;
import dev.hapax.app.cli.connection.ServerRequest;
import dev.hapax.app.cli.output.Exit;
import dev.hapax.app.cli.output.Refusal;
import dev.hapax.app.cli.output.VerbAnswer;
import dev.hapax.app.cli.output.Words;
import dev.hapax.app.cli.verb.ServerVerb;
import dev.hapax.app.cli.verb.VerbCall;
import dev.hapax.app.cli.verb.VerbEntry;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

@Command(
    name = "deploy",
    description = {
      "Makes a server have the flows, connections and alerts of a folder: shows a plan, asks, then"
          + " releases and promotes.",
      "Everything becomes live in one commit. Repeat the command after an interruption: it changes"
          + " only what is missing."
    },
    footer = {
      "",
      "The folder: connections/NAME.yaml, alerts.yaml, env/NAME.yaml with the values of an"
          + " environment, cases in *.test.yaml;",
      "every other YAML file is a flow. Secrets are only named.",
      "Exit code 0: done, or nothing to change; 3: refused; 6: --plan found changes, or another"
          + " person must approve."
    })
public final class DeployVerb extends ServerVerb {
  private static final int LONGEST_ANSWER = 100;

  private final FolderCases runner;

  @Parameters(paramLabel = "DIR", arity = "0..1", description = "Folder to deploy.")
  @Nullable String folder;

  @Option(
      names = "--env",
      paramLabel = "NAME",
      description = "Environment: the values in env/NAME.yaml.")
  @Nullable String environment;

  @Option(names = "--plan", description = "Only print the plan.")
  boolean planOnly;

  @Option(names = "--yes", description = "Carry out the plan without asking.")
  boolean yes;

  @Option(names = "--note", paramLabel = "TEXT", description = "A note for people: what changed.")
  @Nullable String note;

  @Option(
      names = "--allow-missing",
      description =
          "Also if the server does not have the secrets, connections or child flows that a flow"
              + " needs; they become warnings.")
  boolean allowMissing;

  @Option(
      names = "--prune",
      description =
          "Retire flows that an earlier deployment of this folder has, and the folder has no"
              + " longer.")
  boolean prune;

  public DeployVerb(FolderCases runner) {
    this.runner = runner;
  }

  @Override
  public Stream<VerbEntry> inner() {
    return Stream.of(
        new VerbEntry("list", DeployList::new), new VerbEntry("approve", DeployApprove::new));
  }

  @Override
  protected VerbAnswer answer(VerbCall call, ServerClient server)
      throws IOException, InterruptedException {
    if (folder == null) {
      throw Refusal.usage("expected a folder, or one of: list, approve")
          .hint("hapax deploy DIR --plan");
    }
    if (planOnly && yes) {
      throw Refusal.usage("--plan changes nothing, and --yes carries the plan out: choose one");
    }
    Path place = call.surroundings().path(folder);
    DeployFolder files = DeployFolder.read(place, environment);
    refuseOtherServer(files.environment(), server);
    VerbAnswer cases = files.cases() == 0 ? null : runner.run(call, folder);
    Refusal failed = cases == null ? null : cases.refusal();
    if (cases != null && failed != null) {
      return cases.refused(
          Refusal.of(Exit.REFUSED, failed.code(), "nothing was sent: " + failed.message())
              .details(failed.details())
              .hint(failed.hint()));
    }
    Map<String, Object> body = body(files);
    JsonNode plan = server.ask(ServerRequest.post("/api/deployments/plan").json(body)).json();
    String text = (cases == null ? "" : cases.text()) + PlanText.of(plan, call.paint());
    if (!plan.path("changes").asBoolean(false)) {
      return VerbAnswer.of(data(plan, null, files), text);
    }
    if (planOnly) {
      return VerbAnswer.of(data(plan, null, files), text).exit(Exit.WAITS_FOR_PERSON);
    }
    if (!yes) {
      confirm(call, text);
    }
    body.put("plan", plan.path("plan").asString());
    JsonNode made = deploy(server, body);
    VerbAnswer answer =
        VerbAnswer.of(data(plan, made, files), (yes ? text : "") + DeployList.sentence(made));
    return made.path("state").asString("").equals("pending")
        ? answer.exit(Exit.WAITS_FOR_PERSON)
        : answer;
  }

  /** The values of one environment must not reach the server of another. */
  private static void refuseOtherServer(EnvironmentFile environment, ServerClient server) {
    String url = environment.url();
    if (url != null && !Address.of(url).toString().equals(server.url())) {
      throw Refusal.of(
              Exit.REFUSED,
              "other-server",
              "environment '%s' is the server at %s, but this command calls %s"
                  .formatted(environment.name(), url, server.url()))
          .hint("add --url " + url);
    }
  }

  private Map<String, Object> body(DeployFolder files) {
    Map<String, Object> body = files.body();
    if (note != null) {
      body.put("note", note);
    }
    if (allowMissing) {
      body.put("allowMissing", true);
    }
    if (prune) {
      body.put("prune", true);
    }
    return body;
  }

  private Map<String, Object> data(JsonNode plan, @Nullable JsonNode made, DeployFolder files) {
    var data = new LinkedHashMap<String, Object>();
    data.put("plan", plan);
    if (made != null) {
      data.put("deployment", made);
    }
    data.put("casesRun", files.cases() > 0);
    return data;
  }

  private void confirm(VerbCall call, String text) throws IOException {
    if (call.output().isJson()) {
      throw Refusal.usage("without a terminal, add --yes to carry out the plan, or --plan to look")
          .hint("hapax deploy %s --plan".formatted(Words.quoted(String.valueOf(folder))));
    }
    call.output().tell(text.stripTrailing());
    call.output().progress("Carry out this plan? [y/N] ");
    String typed = line(call.surroundings().in());
    if (!typed.equals("y") && !typed.equals("yes")) {
      throw Refusal.of(Exit.REFUSED, "not-confirmed", "nothing was changed");
    }
  }

  private static String line(InputStream in) throws IOException {
    var typed = new StringBuilder();
    for (int c = in.read(); c >= 0 && c != '\n' && typed.length() < LONGEST_ANSWER; c = in.read()) {
      typed.append((char) c);
    }
    return typed.toString().strip().toLowerCase(Locale.ROOT);
  }

  private static JsonNode deploy(ServerClient server, Map<String, Object> body) {
    try {
      return server.ask(ServerRequest.post("/api/deployments").json(body)).json();
    } catch (Refusal refusal) {
      throw refusal.exit() == Exit.UNREACHABLE
          ? refusal.hint("repeat the command: it changes only what is missing")
          : refusal;
    }
  }
}
