package dev.hapax.app.cli.operations;

import dev.hapax.app.cli.connection.ServerClient;
import dev.hapax.app.cli.connection.ServerRequest;
import dev.hapax.app.cli.output.Item;
import dev.hapax.app.cli.output.Table;
import dev.hapax.app.cli.output.VerbAnswer;
import dev.hapax.app.cli.verb.ListVerb;
import dev.hapax.app.cli.verb.ServerVerb;
import dev.hapax.app.cli.verb.VerbCall;
import dev.hapax.app.cli.verb.VerbEntry;
import dev.hapax.app.cli.verb.VerbGroup;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

@Command(
    name = "tokens",
    description = {
      "Lists, creates and revokes tokens for people and programs.",
      "'rotate-key' replaces the key of callback and approval links."
    })
public final class TokensVerb extends VerbGroup {
  @Override
  public Stream<VerbEntry> inner() {
    return Stream.of(
        new VerbEntry("list", List::new),
        new VerbEntry("create", Create::new),
        new VerbEntry("revoke", Revoke::new),
        new VerbEntry("rotate-key", RotateKey::new));
  }

  @Command(name = "list", description = "Lists the tokens, without their secret text.")
  static final class List extends ListVerb {
    @Override
    protected ServerRequest request() {
      return ServerRequest.get("/api/tokens");
    }

    @Override
    protected Table table() {
      return new Table("TOKEN", "NAME", "SCOPES", "FLOWS", "ROLES", "USED", "EXPIRES", "REVOKED");
    }

    @Override
    protected void row(Table table, Item token) {
      table.row(
          token.text("id"),
          token.text("name"),
          String.join(", ", token.words("scopes")),
          flowsOf(token),
          String.join(", ", token.words("roles")),
          token.time("usedAt"),
          token.time("expiresAt"),
          token.time("revokedAt"));
    }
  }

  private static String flowsOf(Item token) {
    String limit =
        Stream.concat(
                token.words("flows").stream(),
                token.words("labels").stream().map(label -> "label " + label))
            .collect(Collectors.joining(", "));
    return limit.isEmpty() ? "all" : limit;
  }

  static String shownOnce(JsonNode made) {
    return "%s%nThis token is shown only once. Keep it where only its user can read it.%n"
        .formatted(new Item(made).text("token"));
  }

  @Command(name = "create", description = "Creates a token and shows it, only once.")
  static final class Create extends ServerVerb {
    @Parameters(
        paramLabel = "NAME",
        description = "Name of its user, for histories and the audit log.")
    String name = "";

    @Option(
        names = "--scope",
        paramLabel = "SCOPE",
        required = true,
        split = ",",
        description = "Permission, for example runs:read; separate several with commas.")
    java.util.List<String> scopes = java.util.List.of();

    @Option(
        names = "--role",
        paramLabel = "ROLE",
        split = ",",
        description = "Role for approvals; separate several with commas.")
    java.util.List<String> roles = java.util.List.of();

    @Option(
        names = "--expires-in",
        paramLabel = "DURATION",
        description = "Lifetime, for example 90d; without it, the token does not expire.")
    @Nullable String expiresIn;

    @Option(
        names = "--per-second",
        paramLabel = "N",
        description = "Maximum number of requests per second.")
    @Nullable Integer perSecond;

    @Option(
        names = "--flow",
        paramLabel = "FLOW",
        split = ",",
        description =
            "Flow that it may use, or the beginning of names and a *; all flows by default.")
    java.util.List<String> flows = java.util.List.of();

    @Option(
        names = "--label",
        paramLabel = "LABEL",
        split = ",",
        description = "Label of flows that it may use, beside those of --flow.")
    java.util.List<String> labels = java.util.List.of();

    @Override
    protected VerbAnswer answer(VerbCall call, ServerClient server) {
      var body = new LinkedHashMap<String, Object>();
      body.put("name", name);
      body.put("scopes", scopes);
      body.put("roles", roles);
      if (expiresIn != null) {
        body.put("expiresIn", expiresIn);
      }
      if (perSecond != null) {
        body.put("perSecond", perSecond);
      }
      if (!flows.isEmpty()) {
        body.put("flows", flows);
      }
      if (!labels.isEmpty()) {
        body.put("labels", labels);
      }
      JsonNode made = server.ask(ServerRequest.post("/api/tokens").json(body)).json();
      return VerbAnswer.of(made, shownOnce(made));
    }
  }

  @Command(name = "revoke", description = "Revokes a token, immediately.")
  static final class Revoke extends ServerVerb {
    @Parameters(paramLabel = "TOKEN", description = "Id of the token.")
    String token = "";

    @Override
    protected VerbAnswer answer(VerbCall call, ServerClient server) {
      JsonNode revoked = server.ask(ServerRequest.delete("/api/tokens/{}", token)).json();
      return VerbAnswer.of(revoked, "revoked token '%s'".formatted(token));
    }
  }

  @Command(
      name = "rotate-key",
      description = {
        "Makes a new key for callback and approval links. Links that were handed out stay valid.",
        "With --revoke they end, all together: use it if a key, or a backup from before keys were"
            + " sealed, may be in other hands. Runs that wait for such a callback wait until it"
            + " expires or you cancel them; approvals get new links."
      })
  static final class RotateKey extends ServerVerb {
    @Option(names = "--revoke", description = "End all links of earlier keys.")
    boolean revoke;

    @Override
    protected VerbAnswer answer(VerbCall call, ServerClient server) {
      JsonNode made =
          server
              .ask(
                  ServerRequest.post("/api/token-keys")
                      .json(revoke ? Map.of("revoke", true) : Map.of()))
              .json();
      String version = new Item(made).text("version");
      return VerbAnswer.of(
          made,
          revoke
              ? "new waits use key %s; all earlier links are unknown from now on".formatted(version)
              : "new waits use key %s; earlier links stay valid".formatted(version));
    }
  }
}
