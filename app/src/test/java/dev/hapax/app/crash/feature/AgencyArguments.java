package dev.hapax.app.crash.feature;

import java.nio.file.Path;
import java.time.Instant;
import java.util.List;

/**
 * The arguments of an {@link AgencyProcess}.
 *
 * @param port of the sink
 * @param beginning from which all processes of a test count their time
 * @param from the first case to start
 * @param to the first case not to start
 * @param settles whether it is the last one, and brings everything to its end
 */
record AgencyArguments(Path store, int port, Instant beginning, int from, int to, boolean settles) {
  List<String> words() {
    return List.of(
        store.toString(),
        Integer.toString(port),
        beginning.toString(),
        Integer.toString(from),
        Integer.toString(to),
        Boolean.toString(settles));
  }

  static AgencyArguments of(String[] words) {
    return new AgencyArguments(
        Path.of(words[0]),
        Integer.parseInt(words[1]),
        Instant.parse(words[2]),
        Integer.parseInt(words[3]),
        Integer.parseInt(words[4]),
        Boolean.parseBoolean(words[5]));
  }
}
