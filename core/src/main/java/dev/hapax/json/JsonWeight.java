package dev.hapax.json;

/**
 * Estimates the memory that a JSON text takes together with the value that is read from it, without
 * reading it. An object of two letters takes fifty times its text; a long text little more than
 * itself.
 */
public final class JsonWeight {
  private static final int PER_VALUE = 64;
  private static final int PER_CONTAINER = 48;
  private static final int PER_PART = 40;
  private static final int PER_CHARACTER = 2;

  private JsonWeight() {}

  public static long of(String json) {
    long weight = PER_VALUE + (long) PER_CHARACTER * json.length();
    boolean inText = false;
    for (int i = 0; i < json.length(); i++) {
      char c = json.charAt(i);
      if (c == '"') {
        inText = !inText;
      } else if (inText) {
        i += c == '\\' ? 1 : 0;
      } else if (c == '{' || c == '[') {
        weight += PER_CONTAINER;
      } else if (c == ',' || c == ':') {
        weight += PER_PART;
      }
    }
    return weight;
  }
}
