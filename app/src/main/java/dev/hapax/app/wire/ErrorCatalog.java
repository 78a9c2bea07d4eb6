package dev.hapax.app.wire;

import dev.hapax.json.Json;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import tools.jackson.databind.JsonNode;

/**
 * All codes with which a run or step can fail and all problems over HTTP: their meaning, and what
 * to do about them. The page {@code docs/reference/errors.md} is made from it.
 */
public final class ErrorCatalog {
  /** The prefix of a section's address; an address never changes once it was published. */
  public static final String DOCS = "https://hapax.dev/errors/";

  private static final String FILE = "errors.json";

  /** For a code that a flow, a program or a plug-in has chosen itself. */
  private static final Entry OTHER =
      new Entry(
          "other",
          "",
          "The flow itself chose this code.",
          "Ask the author of the flow, or read its runbook.");

  private static final Map<String, Entry> CODES = new LinkedHashMap<>();
  private static final Map<String, Entry> PROBLEMS = new LinkedHashMap<>();

  static {
    JsonNode file = read();
    for (JsonNode row : file.path("codes")) {
      CODES.put(row.path("code").asString(), Entry.of(row, "code", "class"));
    }
    for (JsonNode row : file.path("problems")) {
      PROBLEMS.put(row.path("name").asString(), Entry.of(row, "name", "status"));
    }
  }

  private ErrorCatalog() {}

  /**
   * A code of a failure, or the name of a problem.
   *
   * @param code ends with {@code -*} if it is the beginning of a family of codes
   * @param kind the class of the failure, or the status of the answer
   */
  public record Entry(String code, String kind, String meaning, String advice) {
    private static Entry of(JsonNode row, String code, String kind) {
      return new Entry(
          row.path(code).asString(),
          row.path(kind).asString(),
          row.path("meaning").asString(),
          row.path("advice").asString());
    }

    /** The name of its section. */
    public String section() {
      return code.endsWith("-*") ? code.substring(0, code.length() - 2) : code;
    }

    String docs() {
      return DOCS + section();
    }
  }

  /** Returns what is known about the code of a failure. */
  public static Entry of(String code) {
    Entry known = CODES.get(code);
    if (known != null) {
      return known;
    }
    int end = code.indexOf('-');
    Entry family = end < 0 ? null : CODES.get(code.substring(0, end) + "-*");
    return family == null ? OTHER : family;
  }

  /** Returns all codes of failures, in their order on the page. */
  public static List<Entry> codes() {
    return List.copyOf(CODES.values());
  }

  /** Returns all problems, in their order on the page. */
  public static List<Entry> problems() {
    return List.copyOf(PROBLEMS.values());
  }

  private static JsonNode read() {
    try (InputStream in = ErrorCatalog.class.getResourceAsStream(FILE)) {
      byte[] bytes = Objects.requireNonNull(in, FILE).readAllBytes();
      return Json.tree(new String(bytes, StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
