package dev.hapax.app.cli;

import java.util.Map;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

@Command(
    name = "tenants",
    description = "Lists and makes tenants, whose flows, runs and secrets are nobody else's.")
final class Tenants extends Group {
  @Override
  Stream<VerbEntry> inner() {
    return Stream.of(
        new VerbEntry("list", List::new),
        new VerbEntry("create", Create::new),
        new VerbEntry("token", Token::new));
  }

  @Command(name = "list", description = "Lists the tenants, by name.")
  static final class List extends ListVerb {
    @Override
    Request request() {
      return Request.get("/api/tenants");
    }

    @Override
    Table table() {
      return new Table("TENANT", "CREATED", "BY");
    }

    @Override
    void row(Table table, Item tenant) {
      table.row(tenant.text("name"), tenant.time("createdAt"), tenant.text("createdBy"));
    }
  }

  @Command(
      name = "create",
      description = "Makes a tenant. It has no token yet: 'hapax tenants token' makes the first.")
  static final class Create extends ServerVerb {
    @Parameters(paramLabel = "TENANT", description = "Letters a-z, digits and '-'.")
    String tenant = "";

    @Override
    Answer answer(Call call, Server server) {
      JsonNode made = server.ask(Request.post("/api/tenants").json(Map.of("name", tenant))).json();
      return Answer.of(made, "tenant '%s' is made".formatted(tenant));
    }
  }

  @Command(
      name = "token",
      description = "Makes an admin token of a tenant and shows it, this once.")
  static final class Token extends ServerVerb {
    @Parameters(paramLabel = "TENANT", description = "Name of the tenant.")
    String tenant = "";

    @Override
    Answer answer(Call call, Server server) {
      JsonNode made = server.ask(Request.post("/api/tenants/{}/tokens", tenant).json("{}")).json();
      return Answer.of(made, Tokens.shownOnce(made));
    }
  }
}
