package dev.hapax.app.http;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The content of the OpenAPI document about a route, beside its path and summary.
 *
 * @param query the parameters that it knows, each with a line for people
 * @param body the content of a request; null for nothing, or for anything
 * @param answers the content of its answers, by status
 */
public record Docs(
    Map<String, String> query, @Nullable Content body, Map<Integer, Content> answers) {
  static final Docs NONE = new Docs(Map.of(), null, Map.of());

  /**
   * The content of a request or an answer.
   *
   * @param type a record whose components are the members of the JSON; Object for any JSON
   * @param isPage whether it is a page of these
   * @param or another record that it can be instead; null if there is none
   */
  public record Content(String contentType, Class<?> type, boolean isPage, @Nullable Class<?> or) {
    Content(String contentType, Class<?> type, boolean isPage) {
      this(contentType, type, isPage, null);
    }

    static Content json(Class<?> type) {
      return new Content("application/json", type, false);
    }
  }

  Docs query(String name, String meaning) {
    var more = new LinkedHashMap<>(query);
    more.put(name, meaning);
    return new Docs(more, body, answers);
  }

  Docs body(Content content) {
    return new Docs(query, content, answers);
  }

  Docs answer(int status, Content content) {
    var more = new LinkedHashMap<>(answers);
    more.put(status, content);
    return new Docs(query, body, more);
  }
}
