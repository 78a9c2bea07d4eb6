package dev.hapax.app.cli.folder;

import dev.hapax.app.cli.connection.ServerRequest;
import dev.hapax.app.cli.output.Item;
import dev.hapax.app.cli.output.Table;
import dev.hapax.app.cli.verb.ListVerb;
import picocli.CommandLine.Command;
import tools.jackson.databind.JsonNode;

@Command(name = "list", description = "Lists the deployments of a server, newest first.")
final class DeployList extends ListVerb {
  @Override
  protected ServerRequest request() {
    return ServerRequest.get("/api/deployments");
  }

  @Override
  protected Table table() {
    return new Table(
        "NUMBER", "STATE", "ENVIRONMENT", "MADE", "BY", "APPROVED BY", "FLOWS", "NOTE");
  }

  @Override
  protected void row(Table table, Item deployment) {
    table.row(
        deployment.text("number"),
        deployment.text("state"),
        deployment.text("environment"),
        deployment.time("at"),
        deployment.text("by"),
        deployment.text("approvedBy"),
        deployment.items("flows").size(),
        deployment.text("note"));
  }

  /** Says what a deployment has done. */
  static String sentence(JsonNode deployment) {
    var item = new Item(deployment);
    String number = item.text("number");
    return switch (item.text("state")) {
      case "applied" -> "deployment %s is live%n".formatted(number);
      case "pending" ->
          "deployment %s waits: another person makes it live with 'hapax deploy approve %s'%n"
              .formatted(number, number);
      case "unchanged" -> "nothing to change\n";
      default -> "deployment %s is %s%n".formatted(number, item.text("state"));
    };
  }
}
