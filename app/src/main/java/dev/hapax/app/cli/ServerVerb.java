package dev.hapax.app.cli;

import java.io.IOException;
import picocli.CommandLine.Mixin;

/** A verb that sends requests to a server. */
abstract class ServerVerb extends Verb {
  @Mixin ServerOptions options = new ServerOptions();

  @Override
  protected final Answer answer(Call call) throws IOException, InterruptedException {
    var server = new Server(Target.of(where(), call.surroundings()));
    return answer(call, server).meta("server", server.url());
  }

  /** Returns the options given after the verb or before it. */
  final ServerOptions where() {
    return options.orElse(((Root) spec.root().userObject()).server);
  }

  abstract Answer answer(Call call, Server server) throws IOException, InterruptedException;
}
