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
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

@Command(
    name = "tenants",
    description =
        "Lists, creates, limits, suspends, resumes and deletes tenants. Each has its own flows, runs and secrets.")
public final class TenantsVerb extends VerbGroup {
  @Override
  public Stream<VerbEntry> inner() {
    return Stream.of(
        new VerbEntry("list", List::new),
        new VerbEntry("show", Show::new),
        new VerbEntry("create", Create::new),
        new VerbEntry("token", Token::new),
        new VerbEntry("quotas", TenantQuotasVerb::new),
        new VerbEntry("suspend", Suspend::new),
        new VerbEntry("resume", Resume::new),
        new VerbEntry("delete", TenantDeleteVerb::new));
  }

  @Command(name = "list", description = "Lists the tenants, by name.")
  static final class List extends ListVerb {
    @Override
    protected ServerRequest request() {
      return ServerRequest.get("/api/tenants");
    }

    @Override
    protected Table table() {
      return new Table("TENANT", "STATE", "CREATED", "BY", "QUOTAS");
    }

    @Override
    protected void row(Table table, Item tenant) {
      table.row(
          tenant.text("name"),
          tenant.text("state"),
          tenant.time("createdAt"),
          tenant.text("createdBy"),
          QuotaWords.line(tenant));
    }
  }

  @Command(name = "show", description = "Shows a tenant, its quotas and what it uses of them.")
  static final class Show extends ServerVerb {
    @Parameters(paramLabel = "TENANT", description = "Name of the tenant.")
    String tenant = "";

    @Override
    protected VerbAnswer answer(VerbCall call, ServerClient server) {
      JsonNode found = server.ask(ServerRequest.get("/api/tenants/{}", tenant)).json();
      var item = new Item(found);
      Item suspended = item.inner("suspended");
      Table table = new Table("TENANT", item.text("name"));
      table.row("state", item.text("state"));
      if (!suspended.text("reason").isEmpty()) {
        table.row(
            "suspended",
            "%s by %s: %s"
                .formatted(suspended.time("at"), suspended.text("by"), suspended.text("reason")));
      }
      table.row("created", item.time("createdAt") + " by " + item.text("createdBy"));
      for (QuotaWords quota : QuotaWords.values()) {
        String used = quota.used(item);
        table.row(
            quota.quota(),
            quota.limit(item) + (used.isEmpty() ? "" : ", %s in use".formatted(used)));
      }
      return VerbAnswer.of(found, table.text(call.paint(), "none"));
    }
  }

  @Command(
      name = "create",
      description =
          "Creates a tenant. It has no token yet: 'hapax tenants token' creates the first.")
  static final class Create extends ServerVerb {
    @Parameters(paramLabel = "TENANT", description = "Letters a-z, digits and '-'.")
    String tenant = "";

    @Override
    protected VerbAnswer answer(VerbCall call, ServerClient server) {
      JsonNode made =
          server.ask(ServerRequest.post("/api/tenants").json(Map.of("name", tenant))).json();
      return VerbAnswer.of(made, "created tenant '%s'".formatted(tenant));
    }
  }

  @Command(
      name = "token",
      description = "Creates an admin token for a tenant and shows it, only once.")
  static final class Token extends ServerVerb {
    @Parameters(paramLabel = "TENANT", description = "Name of the tenant.")
    String tenant = "";

    @Override
    protected VerbAnswer answer(VerbCall call, ServerClient server) {
      JsonNode made =
          server.ask(ServerRequest.post("/api/tenants/{}/tokens", tenant).json("{}")).json();
      return VerbAnswer.of(made, TokensVerb.shownOnce(made));
    }
  }

  @Command(
      name = "suspend",
      description =
          "Suspends a tenant: its tokens are refused, its webhooks get 503 and its runs wait.")
  static final class Suspend extends ServerVerb {
    @Parameters(paramLabel = "TENANT", description = "Name of the tenant.")
    String tenant = "";

    @Option(
        names = "--reason",
        paramLabel = "TEXT",
        required = true,
        description = "Why; the tenant and the audit log get it.")
    String reason = "";

    @Override
    protected VerbAnswer answer(VerbCall call, ServerClient server) {
      JsonNode now =
          server
              .ask(
                  ServerRequest.post("/api/tenants/{}/suspend", tenant)
                      .json(Map.of("reason", reason)))
              .json();
      return VerbAnswer.of(now, "suspended tenant '%s'".formatted(tenant));
    }
  }

  @Command(name = "resume", description = "Resumes a suspended tenant: its runs continue.")
  static final class Resume extends ServerVerb {
    @Parameters(paramLabel = "TENANT", description = "Name of the tenant.")
    String tenant = "";

    @Option(names = "--reason", paramLabel = "TEXT", description = "Why, for the audit log.")
    @Nullable String reason;

    @Override
    protected VerbAnswer answer(VerbCall call, ServerClient server) {
      JsonNode now =
          server
              .ask(
                  ServerRequest.post("/api/tenants/{}/resume", tenant)
                      .json(reason == null ? Map.of() : Map.of("reason", reason)))
              .json();
      return VerbAnswer.of(now, "resumed tenant '%s'".formatted(tenant));
    }
  }
}
