package dev.hapax.bench;

import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** Measures from the start of the program's process until it takes work; its data exist already. */
final class ServerReady implements Load {
  private static final int TIMES = 5;
  private static final int READY = 200;

  @Override
  public String name() {
    return "server-ready";
  }

  @Override
  public void measure(Workspace workspace, Report report) throws Exception {
    Path data = workspace.file("server");
    double[] seconds = new double[TIMES];
    secondsToReady(data); // creates the data
    for (int i = 0; i < TIMES; i++) {
      seconds[i] = secondsToReady(data);
    }
    Arrays.sort(seconds);
    report.add(
        Figure.of(name() + ".seconds", seconds[TIMES / 2], "s, the middle of five")
            .aims(Goal.atMost(2, 1)));
  }

  private static double secondsToReady(Path data) throws Exception {
    int port;
    try (var socket = new ServerSocket(0)) {
      port = socket.getLocalPort();
    }
    long begin = System.nanoTime();
    try (var _ = serve(data, port);
        var connections = new HttpConnections(URI.create("http://127.0.0.1:" + port))) {
      while (!isReady(connections)) {
        Thread.sleep(5);
      }
      return (System.nanoTime() - begin) / 1e9;
    }
  }

  private static Child serve(Path data, int port) throws IOException {
    List<String> command = Child.java();
    Path jar = Child.program().orElse(null);
    if (jar != null) {
      command.addAll(List.of("-jar", jar.toString()));
    } else {
      command.addAll(
          List.of("-cp", System.getProperty("java.class.path", ""), "dev.hapax.app.Main"));
    }
    command.addAll(List.of("serve", "--data", data.toString(), "--port", "" + port));
    return Child.started("hapax serve", new ProcessBuilder(command));
  }

  private static boolean isReady(HttpConnections connections) {
    try {
      return connections.send("GET", "/readyz", Map.of(), "").status() == READY;
    } catch (IOException e) {
      return false;
    }
  }
}
