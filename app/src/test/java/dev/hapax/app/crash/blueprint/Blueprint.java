package dev.hapax.app.crash.blueprint;

import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * One example of {@code examples/blueprints} with everything around it: who gives it work, the
 * systems that it calls, and what must be in their books at the end. Safe for many threads.
 */
interface Blueprint extends Town.Place {
  /** The flow's name, which is that of its file. */
  String flow();

  /** The connections of the file that no other blueprint has. */
  List<String> connections();

  /** What callers and providers do while one process lives, in any order and at the same time. */
  List<Callable<?>> work(int life);

  /**
   * What a person sees in the books who looks for an effect in review: an external id, or an empty
   * text if it is not there; null if the effect belongs to another blueprint.
   */
  @Nullable String look(String effect, String key);

  /** What is wrong when everything has ended. */
  List<String> problems(List<JsonNode> runs);

  /** Runs that ended otherwise. */
  static void expect(
      List<String> problems, List<JsonNode> runs, java.util.function.Predicate<JsonNode> is) {
    runs.stream()
        .filter(run -> !is.test(run))
        .forEach(run -> problems.add("unexpected end: " + run));
  }

  static boolean hasEnded(JsonNode run, String status) {
    return run.path("status").asString().equals(status);
  }
}
