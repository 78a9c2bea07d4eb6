package dev.hapax.flows.step;

import dev.hapax.flow.Rejected;
import dev.hapax.flows.expression.Scope;
import dev.hapax.flows.expression.Template;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Renders the path or address of a request so that no value changes its structure: a value is a
 * part of one segment, or of a query value behind the question mark. Only {@code raw(…)} puts a
 * value in as it is.
 */
final class RequestAddress {
  private static final Pattern HOST_IS_COMPLETE =
      Pattern.compile("[A-Za-z][A-Za-z0-9+.-]*://[^/?#]+[/?#].*", Pattern.DOTALL);

  private static final Pattern SEPARATOR = Pattern.compile("[/\\\\]");

  /** Servers differ in how often they decode a segment. */
  private static final int MOST_DECODED = 4;

  private final Template template;
  private final boolean isWhole;
  private final List<Integer> emptyAt = new ArrayList<>();

  private RequestAddress(Template template, boolean isWhole) {
    this.template = template;
    this.isWhole = isWhole;
  }

  /** Renders a path, perhaps with a query. */
  static String path(Template template, Scope scope) {
    return new RequestAddress(template, false).text(scope);
  }

  /** Renders a whole address; its scheme and host may be values. */
  static String whole(Template template, Scope scope) {
    return new RequestAddress(template, true).text(scope);
  }

  private String text(Scope scope) {
    String text = template.text(scope, this::write);
    int from = isWhole ? beginOfPath(text) : 0;
    int until = endOfPath(text);
    for (int at : emptyAt) {
      refuseEmptySegment(text, at, until);
    }
    if (from < until) {
      refuseDots(text.substring(from, until));
    }
    return text;
  }

  private void write(StringBuilder text, boolean isRaw, String value) {
    if (isRaw || (isWhole && !HOST_IS_COMPLETE.matcher(text).matches())) {
      text.append(value);
    } else if (text.indexOf("?") >= 0) {
      text.append(encoded(value));
    } else {
      if (value.isEmpty()) {
        emptyAt.add(text.length());
      }
      text.append(encoded(value).replace("*", "%2A").replace("%7E", "~"));
    }
  }

  /** As in a query. */
  static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }

  private static int beginOfPath(String text) {
    int host = text.indexOf("://");
    int slash = host < 0 ? -1 : text.indexOf('/', host + 3);
    return slash < 0 ? text.length() : slash;
  }

  private static int endOfPath(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) == '?' || text.charAt(i) == '#') {
        return i;
      }
    }
    return text.length();
  }

  /** {@code DELETE /customers/} would concern all customers. */
  private void refuseEmptySegment(String text, int at, int until) {
    boolean begins = at == 0 || text.charAt(at - 1) == '/';
    boolean ends = at >= until || text.charAt(at) == '/';
    if (begins && ends && at <= until) {
      throw refused("a value is empty and would leave out a segment of the path");
    }
  }

  private void refuseDots(String path) {
    for (String segment : path.split("/", -1)) {
      String decoded = segment;
      for (int i = 0; i < MOST_DECODED; i++) {
        if (hasDots(decoded)) {
          throw refused("segment '%s' means another directory ('.' or '..')".formatted(segment));
        }
        decoded = decoded(decoded);
      }
    }
  }

  /** Some servers ignore what follows a semicolon, and some take backslashes for slashes. */
  private static boolean hasDots(String segment) {
    return Arrays.stream(SEPARATOR.split(segment))
        .map(part -> part.contains(";") ? part.substring(0, part.indexOf(';')) : part)
        .anyMatch(part -> part.equals(".") || part.equals(".."));
  }

  private static String decoded(String text) {
    try {
      return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      return text; // not encoded at all
    }
  }

  private Rejected refused(String why) {
    return new Rejected(
        "bad-path",
        "%s %s: nothing was sent, because %s".formatted(template.position(), template, why));
  }
}
