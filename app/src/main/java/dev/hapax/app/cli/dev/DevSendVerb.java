package dev.hapax.app.cli.dev;

import dev.hapax.app.cli.connection.ServerClient;
import dev.hapax.app.cli.connection.ServerReply;
import dev.hapax.app.cli.connection.ServerRequest;
import dev.hapax.app.cli.output.Exit;
import dev.hapax.app.cli.output.Refusal;
import dev.hapax.app.cli.output.VerbAnswer;
import dev.hapax.app.cli.output.Words;
import dev.hapax.app.cli.verb.Inputs;
import dev.hapax.app.cli.verb.VerbCall;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

@Command(
    name = "send",
    description = {
      "Delivers a saved event to a flow's webhook, signed with the secret and the scheme of its"
          + " trigger.",
      "The file holds the body exactly as the provider sent it: JSON, or the fields of a form."
    },
    footer = {"", "Exit code 3: the webhook refused a delivery."})
final class DevSendVerb extends DevServerVerb {
  @Parameters(index = "0", paramLabel = "FLOW", description = "Flow with a webhook.")
  String flow = "";

  @Parameters(index = "1", paramLabel = "FILE", description = "The saved event.")
  String file = "";

  @Option(names = "--twice", description = "Deliver it twice, as providers do.")
  boolean twice;

  @Option(
      names = "--event-id",
      paramLabel = "ID",
      description = "Give the event this id, where the trigger reads it.")
  @Nullable String eventId;

  @Option(
      names = "--hook",
      paramLabel = "PATH",
      description = "Path of the webhook, if the flow has several.")
  @Nullable String hook;

  @Option(
      names = "--header",
      paramLabel = "NAME:VALUE",
      description = "A header that the provider adds, for example X-GitHub-Event:push.")
  List<String> headers = List.of();

  @Override
  protected VerbAnswer answer(VerbCall call, ServerClient server) {
    byte[] body = Inputs.bytes(file, call.surroundings());
    JsonNode signed =
        server
            .ask(
                ServerRequest.post("/dev/events/{}", flow)
                    .query("hook", hook)
                    .query("eventId", eventId)
                    .body("application/octet-stream", body))
            .json();
    var answers = new ArrayList<Map<String, Object>>();
    var text = new StringBuilder();
    boolean isRefused = false;
    for (int i = 0; i < (twice ? 2 : 1); i++) {
      ServerReply reply = server.send(delivery(signed));
      isRefused |= reply.status() >= 300;
      var answer = new LinkedHashMap<String, Object>();
      answer.put("status", reply.status());
      answer.put("answer", reply.json());
      answers.add(answer);
      text.append("%d  %s%n".formatted(reply.status(), said(reply)));
    }
    VerbAnswer all = VerbAnswer.of(Map.of("deliveries", answers), text.toString());
    return isRefused
        ? all.refused(Refusal.of(Exit.REFUSED, "refused", "the webhook refused the delivery"))
        : all;
  }

  private static String said(ServerReply reply) {
    JsonNode answer = reply.json();
    if (reply.content().length == 0) {
      return "no body, as this sender expects";
    }
    return answer.has("outcome")
        ? Words.line(
            "%s %s"
                .formatted(answer.path("outcome").asString(), answer.path("run").asString(""))
                .strip())
        : Words.line(answer.toString());
  }

  private ServerRequest delivery(JsonNode signed) {
    var headersOfAll = new LinkedHashMap<String, String>();
    signed
        .path("headers")
        .properties()
        .forEach(header -> headersOfAll.put(header.getKey(), header.getValue().asString()));
    for (String header : headers) {
      int end = header.indexOf(':');
      if (end < 1) {
        throw Refusal.usage("--header: expected NAME:VALUE, got '%s'".formatted(header));
      }
      headersOfAll.put(header.substring(0, end).strip(), header.substring(end + 1).strip());
    }
    String type = headersOfAll.remove("Content-Type");
    ServerRequest request =
        ServerRequest.post("{+}", signed.path("path").asString())
            .body(
                type == null ? "application/json" : type,
                Base64.getDecoder().decode(signed.path("body").asString()));
    for (Map.Entry<String, String> header : headersOfAll.entrySet()) {
      request = request.header(header.getKey(), header.getValue());
    }
    return request;
  }
}
