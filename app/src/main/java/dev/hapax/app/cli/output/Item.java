package dev.hapax.app.cli.output;

import dev.hapax.json.Json;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;

/** A JSON object as people read it. */
public record Item(JsonNode json) {
  private static final int SECONDS = "2026-11-15T10:00:00".length();

  /**
   * A member as text for people; empty if it is missing or null. Characters that could deceive the
   * reader are replaced, see {@link Words#plain}: everything that a server sends is shown by this
   * method.
   */
  public String text(String name) {
    return Words.plain(raw(name));
  }

  /** A member as it is, for programs and for requests; empty if it is missing or null. */
  public String raw(String name) {
    JsonNode value = json.path(name);
    if (value.isMissingNode() || value.isNull()) {
      return "";
    }
    return value.isValueNode() ? value.asString() : Json.write(value);
  }

  /** A time without the part of a second. */
  public String time(String name) {
    String text = text(name);
    return text.length() > SECONDS ? text.substring(0, SECONDS) + "Z" : text;
  }

  public boolean is(String name) {
    return json.path(name).asBoolean(false);
  }

  public Item inner(String name) {
    return new Item(json.path(name));
  }

  public List<String> words(String name) {
    var words = new ArrayList<String>();
    json.path(name).forEach(word -> words.add(Words.plain(word.asString(""))));
    return words;
  }

  public List<Item> items(String name) {
    var items = new ArrayList<Item>();
    json.path(name).forEach(item -> items.add(new Item(item)));
    return items;
  }
}
