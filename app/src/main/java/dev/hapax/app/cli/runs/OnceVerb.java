package dev.hapax.app.cli.runs;

import dev.hapax.app.cli.connection.ServerClient;
import dev.hapax.app.cli.connection.ServerReply;
import dev.hapax.app.cli.connection.ServerRequest;
import dev.hapax.app.cli.output.Exit;
import dev.hapax.app.cli.output.Item;
import dev.hapax.app.cli.output.Refusal;
import dev.hapax.app.cli.output.Sheet;
import dev.hapax.app.cli.output.VerbAnswer;
import dev.hapax.app.cli.verb.Inputs;
import dev.hapax.app.cli.verb.ServerVerb;
import dev.hapax.app.cli.verb.VerbCall;
import dev.hapax.json.Json;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "once",
    description = {
      "Carries out one effect without a flow.",
      "The same call again gets the recorded result; nothing is done twice. A call after a failure tries again."
    },
    footer = {
      "",
      "hapax once charge A-1001 --connection psp --http 'POST /charges' --body '{\"cents\": 4000}' --guard keyed",
      "",
      "The exit code says what became of it: 0 it is done, or still in progress; 1 it failed; 3 refused, for",
      "example because the key belongs to another request; 6 it is in review: a person must look."
    })
public final class OnceVerb extends ServerVerb {
  private static final Pattern REQUEST = Pattern.compile("\\s*([A-Za-z]+)\\s+(\\S.*?)\\s*");
  private static final Pattern SECONDS = Pattern.compile("(\\d{1,6})s?");

  /** The server must answer before the connection gives up. */
  private static final int LONGEST_WAIT = 50;

  private static final Set<String> BAD = Set.of("failed", "partial", "canceled", "compensated");

  private static final String REPLAYED =
      "this effect was asked for before: this is that run, and nothing new was started";

  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "NAME",
      description = "Name of the effect in the ledger.")
  @Nullable String name;

  @Parameters(
      index = "1",
      arity = "0..1",
      paramLabel = "KEY",
      description = "Key of the effect: the same for the same intent, also when you try again.")
  @Nullable String key;

  @Option(
      names = "--connection",
      paramLabel = "NAME",
      description = "The connection to send it through.")
  @Nullable String connection;

  @Option(
      names = "--http",
      paramLabel = "REQUEST",
      description = "Method and path, for example 'POST /charges'.")
  @Nullable String http;

  @Option(
      names = "--body",
      paramLabel = "JSON",
      description = "The body of the request: text, @FILE, or - for standard input.")
  @Nullable String body;

  @Option(
      names = "--guard",
      paramLabel = "GUARD",
      description = "keyed, upsert, none, or a mapping as JSON.")
  @Nullable String guard;

  @Option(
      names = "--kind",
      paramLabel = "KIND",
      description = "create (default), update, notify, additive or read.")
  @Nullable String kind;

  @Option(
      names = "--timeout",
      paramLabel = "TIME",
      description = "The most that one attempt takes, for example 30s.")
  @Nullable String timeout;

  @Option(
      names = "--file",
      paramLabel = "FILE",
      description = "The whole request as JSON instead; - for standard input.")
  @Nullable String file;

  @Option(
      names = "--wait",
      paramLabel = "SECONDS",
      description = "How long to wait for the result, up to 50 s; 20 s by default.")
  @Nullable String wait;

  @Override
  protected VerbAnswer answer(VerbCall call, ServerClient server)
      throws IOException, InterruptedException {
    ServerReply reply =
        server.ask(
            ServerRequest.post("/api/once")
                .header("Prefer", "wait=" + seconds())
                .json(file == null ? request(call) : whole(call)));
    boolean replayed = "true".equals(reply.header("Idempotent-Replayed"));
    var once = new Item(reply.json());
    return told(call, once).note(replayed ? REPLAYED : "").meta("replayed", replayed);
  }

  private int seconds() {
    if (wait == null) {
      return 20;
    }
    Matcher given = SECONDS.matcher(wait);
    if (!given.matches()) {
      throw Refusal.usage("--wait: expected seconds, for example 30, got '%s'".formatted(wait));
    }
    return Math.min(LONGEST_WAIT, Integer.parseInt(given.group(1)));
  }

  private String whole(VerbCall call) throws IOException {
    if (name != null || connection != null || http != null || body != null || guard != null) {
      throw Refusal.usage(
          "--file has the whole request; leave NAME, KEY and the other options out");
    }
    return Inputs.json("-".equals(file) ? "-" : "@" + file, call.surroundings());
  }

  private String request(VerbCall call) throws IOException {
    if (name == null || key == null || connection == null || http == null || guard == null) {
      throw Refusal.usage("expected NAME, KEY, --connection, --http and --guard, or --file")
          .hint("hapax once --help shows an example");
    }
    Matcher asked = REQUEST.matcher(http);
    if (!asked.matches()) {
      throw Refusal.usage(
          "--http: expected a method and a path such as 'POST /charges', got '%s'".formatted(http));
    }
    Map<String, Object> effect = new LinkedHashMap<>();
    effect.put("name", name);
    effect.put("key", key);
    effect.put(
        "guard",
        guard.startsWith("{") ? Json.tree(Inputs.json(guard, call.surroundings())) : guard);
    if (kind != null) {
      effect.put("kind", kind);
    }
    Map<String, Object> sent = new LinkedHashMap<>();
    sent.put("method", asked.group(1).toUpperCase(Locale.ROOT));
    sent.put("path", asked.group(2));
    if (body != null) {
      sent.put("body", Json.tree(Inputs.json(body, call.surroundings())));
    }
    Map<String, Object> request = new LinkedHashMap<>();
    request.put("effect", effect);
    request.put("connection", connection);
    request.put("http", sent);
    if (timeout != null) {
      request.put("timeout", timeout);
    }
    return Json.write(request);
  }

  private static VerbAnswer told(VerbCall call, Item once) {
    String run = once.text("run");
    String state = once.text("state");
    Item error = once.inner("error");
    Item effect = once.inner("effect");
    String sheet =
        new Sheet()
            .line("state", state)
            .line(
                "effect",
                effect.text("name").isEmpty()
                    ? ""
                    : "%s '%s' is %s, attempts %s"
                        .formatted(
                            effect.text("name"),
                            effect.text("key"),
                            effect.text("state"),
                            effect.text("attempts")))
            .line("output", once.text("output"))
            .line(
                "error",
                error.text("code").isEmpty()
                    ? ""
                    : error.text("code") + ": " + error.text("message"))
            .text("run " + run, call.paint());
    if (BAD.contains(state)) {
      Map<String, Object> details = new LinkedHashMap<>();
      details.put("run", run);
      details.put("state", state);
      String code = error.text("code").isEmpty() ? state : error.text("code");
      return VerbAnswer.of(once.json(), sheet)
          .refused(
              Refusal.of(
                      Exit.RUN_FAILED,
                      code,
                      "run %s is %s%s"
                          .formatted(
                              run,
                              state,
                              error.text("message").isEmpty() ? "" : ": " + error.text("message")))
                  .details(details)
                  .hint("hapax explain " + run));
    }
    boolean asks = state.equals("review");
    boolean isOpen = !asks && !state.equals("succeeded");
    String next =
        asks
            ? "its outcome is unknown; next: hapax explain %s%n".formatted(run)
            : isOpen ? "still in progress; next: the same command again%n".formatted() : "";
    VerbAnswer answer = VerbAnswer.of(once.json(), sheet + next);
    return asks ? answer.exit(Exit.WAITS_FOR_PERSON) : answer;
  }
}
