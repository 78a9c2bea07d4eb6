package dev.hapax.app.mcp.tool;

import tools.jackson.databind.JsonNode;

/**
 * Says to a model what became of an effect without a flow that did not succeed. Whether it was
 * applied, and whether the same call tries again, depends on how its run ended and on the ledger.
 */
final class OnceWords {
  private static final String NEW_INTENT = "Use another key only for another intent.";
  private static final String PERSON =
      "Do not repeat it with another key: it could happen twice. Report this to a person, who can"
          + " look it up at the destination.";

  private OnceWords() {}

  /**
   * Returns the words about a run that ended without success.
   *
   * @param run as {@code POST /api/once} shows it
   */
  static String of(JsonNode run) {
    JsonNode error = run.path("error");
    String code = error.path("code").asString("");
    return "%s %s"
        .formatted(
            error.isObject()
                ? "The effect failed (%s: %s).".formatted(code, error.path("message").asString(""))
                : "The run ended as %s.".formatted(run.path("state").asString("")),
            meaning(run.path("state").asString(""), code, state(run)));
  }

  /** Empty if the ledger has no row. */
  private static String state(JsonNode run) {
    return run.path("effect").path("state").asString("");
  }

  private static String meaning(String status, String code, String effect) {
    return switch (code) {
      case "effect-key-reused" ->
          "An effect with this name and key was claimed before with another request, and this call"
              + " sent nothing. Call with the request of that time to get its result. "
              + NEW_INTENT;
      case "effect-expired" ->
          "It was done before, and its record has expired. This call sent nothing, and neither does"
              + " another one with this key. "
              + NEW_INTENT;
      case "effect-abandoned" -> abandoned();
      default -> status.equals("failed") ? failed(effect) : ended(status, effect);
    };
  }

  private static String abandoned() {
    return "A person gave it up in doubt: it is unknown whether it was applied. The same call again"
        + " sends nothing and asks a person. "
        + PERSON;
  }

  private static String failed(String effect) {
    return switch (effect) {
      case "failed" ->
          "It was not applied. After the cause is removed, this very call, with the same key, tries"
              + " again.";
      case "" ->
          "The ledger has no effect of this name and key, so nothing was changed. After the cause"
              + " is removed, this very call, with the same key, tries again.";
      case "done" ->
          "It was applied, and what came after it failed. This very call, with the same key, tries"
              + " that again and sends nothing. "
              + NEW_INTENT;
      case "undone" -> "It was applied and then undone. " + NEW_INTENT;
      case "abandoned" -> abandoned();
      default -> unknown(effect);
    };
  }

  /** Only a run that failed is tried again. */
  private static String ended(String status, String effect) {
    String applied =
        switch (effect) {
          case "failed" -> "It was not applied.";
          case "" -> "The ledger has no effect of this name and key, so nothing was changed.";
          case "done" -> "It was applied before the run ended.";
          case "undone" -> "It was applied and then undone.";
          default -> unknown(effect);
        };
    return "%s The run is %s, so the same call again gets this result and tries nothing. If it is still wanted, a person must forget the key first. Do not use another key for the same intent."
        .formatted(applied, status);
  }

  private static String unknown(String effect) {
    return "The ledger has it as %s: it is not known whether it was applied. %s"
        .formatted(effect, PERSON);
  }
}
