package dev.hapax.app.http;

/**
 * The header of every answer: a browser must not take it for another type than it says. Answers
 * hold texts of callers, and a text in JSON that looks like a page must not become one.
 */
final class BrowserRule {
  static final String HEADER = "X-Content-Type-Options";
  static final String VALUE = "nosniff";

  private BrowserRule() {}
}
