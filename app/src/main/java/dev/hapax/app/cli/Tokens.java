package dev.hapax.app.cli;

import java.util.LinkedHashMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

@Command(name = "tokens", description = "Lists, makes and revokes tokens for people and programs.")
final class Tokens extends Group {
  @Override
  Stream<VerbEntry> inner() {
    return Stream.of(
        new VerbEntry("list", List::new),
        new VerbEntry("create", Create::new),
        new VerbEntry("revoke", Revoke::new));
  }

  @Command(name = "list", description = "Lists the tokens; never what they are.")
  static final class List extends ListVerb {
    @Override
    Request request() {
      return Request.get("/api/tokens");
    }

    @Override
    Table table() {
      return new Table("TOKEN", "NAME", "SCOPES", "ROLES", "USED", "EXPIRES", "REVOKED");
    }

    @Override
    void row(Table table, Item token) {
      table.row(
          token.text("id"),
          token.text("name"),
          String.join(", ", token.words("scopes")),
          String.join(", ", token.words("roles")),
          token.time("usedAt"),
          token.time("expiresAt"),
          token.time("revokedAt"));
    }
  }

  static String shownOnce(JsonNode made) {
    return "%s%nThis is shown once. Keep it where only its user can read it.%n"
        .formatted(new Item(made).text("token"));
  }

  @Command(name = "create", description = "Makes a token and shows it, this once.")
  static final class Create extends ServerVerb {
    @Parameters(paramLabel = "NAME", description = "Whose it is, for histories and the audit log.")
    String name = "";

    @Option(
        names = "--scope",
        paramLabel = "SCOPE",
        required = true,
        split = ",",
        description = "What it may do, for example runs:read; several with commas.")
    java.util.List<String> scopes = java.util.List.of();

    @Option(
        names = "--role",
        paramLabel = "ROLE",
        split = ",",
        description = "For approvals that ask for it; several with commas.")
    java.util.List<String> roles = java.util.List.of();

    @Option(
        names = "--expires-in",
        paramLabel = "DURATION",
        description = "How long it lives, for example 90d; for ever if not given.")
    @Nullable String expiresIn;

    @Option(
        names = "--per-second",
        paramLabel = "N",
        description = "How many requests it may make.")
    @Nullable Integer perSecond;

    @Override
    Answer answer(Call call, Server server) {
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
      JsonNode made = server.ask(Request.post("/api/tokens").json(body)).json();
      return Answer.of(made, shownOnce(made));
    }
  }

  @Command(name = "revoke", description = "Revokes a token, at once.")
  static final class Revoke extends ServerVerb {
    @Parameters(paramLabel = "TOKEN", description = "Id of the token.")
    String token = "";

    @Override
    Answer answer(Call call, Server server) {
      JsonNode revoked = server.ask(Request.delete("/api/tokens/{}", token)).json();
      return Answer.of(revoked, "token '%s' is revoked".formatted(token));
    }
  }
}
