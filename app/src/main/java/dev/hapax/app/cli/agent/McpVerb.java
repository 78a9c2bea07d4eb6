package dev.hapax.app.cli.agent;

import dev.hapax.app.cli.connection.ServerClient;
import dev.hapax.app.cli.output.Exit;
import dev.hapax.app.cli.output.VerbAnswer;
import dev.hapax.app.cli.verb.ServerVerb;
import dev.hapax.app.cli.verb.VerbCall;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
    name = "mcp",
    description = {
      "Lets agents call flows as tools: a server of the Model Context Protocol on standard input"
          + " and output.",
      "Passes messages to the Hapax server, and survives its restarts. '--print' shows how to"
          + " connect a client."
    },
    footer = {"", "Exit code 0: the input has ended; 2: the client is unknown."})
public final class McpVerb extends ServerVerb {
  @Option(
      names = "--print",
      paramLabel = "CLIENT",
      description = "Show how to connect claude, codex or cursor over HTTP, and end.")
  @Nullable String client;

  /** What a client has to be told. */
  record Connecting(String client, String snippet) {}

  @Override
  protected VerbAnswer answer(VerbCall call, ServerClient server)
      throws IOException, InterruptedException {
    if (client != null) {
      String snippet = ConnectSnippet.of(client, server.url());
      return VerbAnswer.of(new Connecting(client, snippet), snippet);
    }
    new StdioProxy(new McpPost(server), call.surroundings(), call.output()).run();
    return VerbAnswer.said(Exit.DONE);
  }
}
