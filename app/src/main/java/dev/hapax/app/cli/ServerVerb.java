package dev.hapax.app.cli;

import java.io.IOException;
import picocli.CommandLine.Mixin;

/** A verb that asks a server. */
abstract class ServerVerb extends Verb {
  @Mixin ServerOptions options = new ServerOptions();

  @Override
  protected final Answer answer(Call call) throws IOException, InterruptedException {
    ServerOptions before = ((Root) spec.root().userObject()).server;
    try (var server = new Server(Target.of(options.orElse(before), call.surroundings()))) {
      return answer(call, server).meta("server", server.url());
    }
  }

  abstract Answer answer(Call call, Server server) throws IOException, InterruptedException;
}
