package dev.hapax.app.cli.verb;

import dev.hapax.app.cli.connection.ServerClient;
import dev.hapax.app.cli.connection.ServerOptions;
import dev.hapax.app.cli.connection.Target;
import dev.hapax.app.cli.output.Surroundings;
import dev.hapax.app.cli.output.VerbAnswer;
import java.io.IOException;
import picocli.CommandLine.Mixin;

/** A verb that sends requests to a server. */
public abstract class ServerVerb extends Verb {
  @Mixin ServerOptions options = new ServerOptions();

  @Override
  public final VerbAnswer answer(VerbCall call) throws IOException, InterruptedException {
    var server = new ServerClient(target(call.surroundings()));
    return answer(call, server).meta("server", server.url());
  }

  /** Returns the server that the options and the surroundings name. */
  protected Target target(Surroundings surroundings) {
    return Target.of(where(), surroundings);
  }

  /** Returns the options given after the verb or before it. */
  protected final ServerOptions where() {
    return options.orElse(((Root) spec.root().userObject()).server);
  }

  protected abstract VerbAnswer answer(VerbCall call, ServerClient server)
      throws IOException, InterruptedException;
}
