package dev.hapax.app.mcp.tool;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Locale;
import java.util.Map;
import java.util.function.Predicate;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Hides the links that decide approvals. A link needs no token, so an agent that reads one in the
 * message to a person could approve what it has started itself.
 *
 * <p>A link is found by its value, and not by the address around it: an agent can read a form, a
 * query, an escaped text or Base64 as well as we can. One of these is for one answer, and is used
 * by one thread.
 */
final class DecisionLinks {
  static final String INSTEAD = "[not shown to agents]";

  /** SHA-256 in base32 without padding. */
  private static final int LENGTH = 52;

  private static final Pattern RUN =
      Pattern.compile("[a-z2-7]{%1$d,}|[A-Z2-7]{%1$d,}".formatted(LENGTH));

  /** The link that the list of approvals shows: the id of the approval, and its token. */
  private static final Pattern LISTED =
      Pattern.compile("(?i)w-[a-z2-7]+\\.(?:\\d+\\.)?[a-z2-7]{%d}".formatted(LENGTH));

  /** A token takes 70 characters of Base64, which mail breaks into lines. */
  private static final Pattern BASE64 =
      Pattern.compile("[A-Za-z0-9+/_-][A-Za-z0-9+/_\\r\\n-]{68,}");

  private static final Pattern ESCAPED =
      Pattern.compile(
          "%([0-9A-Fa-f]{2})|\\\\u([0-9A-Fa-f]{4})|&#[xX]([0-9A-Fa-f]{1,6});|&#([0-9]{1,7});|\\\\([/rn])");

  /** A message in a form in a form; deeper ones are not shown. */
  private static final int MOST_LAYERS = 6;

  /** A token has about 26 different characters, and a long word has few. */
  private static final int LEAST_DIFFERENT = 12;

  /** After so many lookups in one answer, everything that looks like a token is hidden. */
  private static final int MOST_LOOKUPS = 1_000;

  private final Predicate<String> isLink;
  private int lookups;

  /**
   * Hides the links that this test finds.
   *
   * @param isLink whether a token decides an approval of any run
   */
  DecisionLinks(Predicate<String> isLink) {
    this.isLink = isLink;
  }

  /** Returns the same value without links. */
  JsonNode hidden(JsonNode node) {
    if (node.isString()) {
      String text = node.stringValue();
      String hidden = hidden(text);
      return hidden.equals(text) ? node : JsonNodeFactory.instance.stringNode(hidden);
    }
    if (node.isArray()) {
      ArrayNode list = JsonNodeFactory.instance.arrayNode();
      node.forEach(item -> list.add(hidden(item)));
      return list;
    }
    if (!node.isObject()) {
      return node;
    }
    ObjectNode object = JsonNodeFactory.instance.objectNode();
    for (Map.Entry<String, JsonNode> member : node.properties()) {
      object.set(hidden(member.getKey()), hidden(member.getValue()));
    }
    return object;
  }

  /** Returns the text without links. A text that has one under several layers is hidden whole. */
  String hidden(String text) {
    if (text.length() < LENGTH) {
      return text;
    }
    String shown = withoutTokens(text);
    if (!reveals(shown, 0)) {
      return shown;
    }
    shown = BASE64.matcher(shown).replaceAll(coded -> isRevealing(coded) ? INSTEAD : same(coded));
    return reveals(shown, 0) ? INSTEAD : shown;
  }

  private boolean isRevealing(MatchResult coded) {
    return revealsDecoded(coded.group(), 0);
  }

  private static String same(MatchResult found) {
    return Matcher.quoteReplacement(found.group());
  }

  private String withoutTokens(String text) {
    String rest = LISTED.matcher(text).replaceAll(INSTEAD);
    return RUN.matcher(rest).replaceAll(run -> withoutTokensIn(run.group()));
  }

  /** An escaped slash before a token has characters of a token: {@code %2f}. */
  private String withoutTokensIn(String run) {
    var rest = new StringBuilder();
    int at = 0;
    while (at < run.length()) {
      if (at + LENGTH <= run.length() && isToken(run.substring(at, at + LENGTH))) {
        rest.append(INSTEAD);
        at += LENGTH;
      } else {
        rest.append(run.charAt(at));
        at++;
      }
    }
    return rest.toString();
  }

  private boolean isToken(String part) {
    if (part.chars().distinct().count() < LEAST_DIFFERENT) {
      return false;
    }
    lookups++;
    return lookups > MOST_LOOKUPS || isLink.test(part.toLowerCase(Locale.ROOT));
  }

  private boolean reveals(String text, int layer) {
    if (text.length() < LENGTH) {
      return false;
    }
    if (layer == MOST_LAYERS || !withoutTokens(text).equals(text)) {
      return true;
    }
    String plain = unescaped(text);
    return plain.equals(text)
        ? BASE64.matcher(text).results().anyMatch(coded -> revealsDecoded(coded.group(), layer))
        : reveals(plain, layer + 1);
  }

  /** A part of an address may precede it, so it can begin at each of four characters. */
  private boolean revealsDecoded(String coded, int layer) {
    String one = coded.replaceAll("[\\r\\n]", "").replace('-', '+').replace('_', '/');
    for (int from = 0; from < 4; from++) {
      int rest = (one.length() - from) % 4;
      String whole = one.substring(from, one.length() - (rest == 1 ? 1 : 0));
      byte[] decoded = Base64.getDecoder().decode(whole);
      if (reveals(new String(decoded, StandardCharsets.ISO_8859_1), layer + 1)) {
        return true;
      }
    }
    return false;
  }

  private static String unescaped(String text) {
    return ESCAPED.matcher(text).replaceAll(DecisionLinks::character);
  }

  private static String character(MatchResult escape) {
    int code = -1;
    for (int group = 1; group <= 4; group++) {
      if (escape.group(group) != null) {
        code = Integer.parseInt(escape.group(group), group == 4 ? 10 : 16);
      }
    }
    if (code < 0) {
      return "/".equals(escape.group(5)) ? "/" : "\n";
    }
    return code < 0x80 ? Matcher.quoteReplacement(String.valueOf((char) code)) : " ";
  }
}
