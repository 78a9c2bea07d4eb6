package dev.hapax.app.receipt;

import dev.hapax.json.Json;
import java.util.Locale;
import tools.jackson.databind.JsonNode;

/**
 * The page of a receipt: plain HTML for a browser and for paper, without scripts, images or
 * addresses outside. It is made from the signed content alone and holds it, so that a verifier can
 * make the page again and compare.
 */
public final class ReceiptPage {
  /** What a browser may do with the page: nothing but its own style. */
  public static final String POLICY =
      "default-src 'none'; style-src 'unsafe-inline'; form-action 'none'; base-uri 'none'";

  static final String DATA_BEGINS = "<pre id=\"signed-receipt\">";
  static final String DATA_ENDS = "</pre>";

  private static final String STYLE =
      """
      :root { color-scheme: light dark; }
      body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
      h1 { font-size: 1.5rem; } h2 { font-size: 1.1rem; margin-top: 2rem; }
      table { border-collapse: collapse; width: 100%; }
      th, td { text-align: left; vertical-align: top; padding: .3rem .8rem .3rem 0; border-bottom: 1px solid #8886; overflow-wrap: anywhere; }
      th { font-weight: 600; white-space: nowrap; }
      .verdict { border: 2px solid; padding: .8rem 1rem; font-weight: 600; }
      pre { white-space: pre-wrap; overflow-wrap: anywhere; font-size: .8rem; }
      @media print { body { margin: 0; max-width: none; } pre { font-size: .6rem; } }
      """;

  private final StringBuilder html = new StringBuilder();

  private ReceiptPage() {}

  /** Returns the page of a receipt; the same receipt always gives the same text. */
  public static String of(SignedReceipt signed) {
    return new ReceiptPage().page(signed);
  }

  private String page(SignedReceipt signed) {
    JsonNode receipt = signed.receipt();
    JsonNode effect = receipt.path("effect");
    String title = "Receipt: " + text(effect, "name") + " " + text(effect, "key");
    html.append("<!doctype html>\n<html lang=\"en\">\n<head><meta charset=\"utf-8\">")
        .append("<meta name=\"viewport\" content=\"width=device-width\">")
        .append("<meta http-equiv=\"Content-Security-Policy\" content=\"")
        .append(escaped(POLICY))
        .append("\"><title>")
        .append(escaped(title))
        .append("</title>\n<style>\n")
        .append(STYLE)
        .append("</style></head>\n<body>\n<h1>")
        .append(escaped(title))
        .append("</h1>\n");
    verdict(receipt);
    effect(effect);
    run(receipt);
    attempts(receipt.path("attempts"));
    decisions(receipt.path("decisions"));
    values(effect);
    proof(signed);
    return html.append("</body>\n</html>\n").toString();
  }

  private void verdict(JsonNode receipt) {
    boolean proven = receipt.path("verdict").path("proven").asBoolean(false);
    html.append("<p class=\"verdict\">")
        .append(proven ? "Proven. " : "Not proven. ")
        .append(escaped(text(receipt.path("verdict"), "says")))
        .append("</p>\n");
    for (JsonNode caveat : receipt.path("caveats")) {
      html.append("<p>").append(escaped(caveat.asString(""))).append("</p>\n");
    }
  }

  private void effect(JsonNode effect) {
    html.append("<h2>What was sent</h2>\n<table>\n");
    row("effect", text(effect, "name") + " (" + text(effect, "kind") + ")");
    row("business key", text(effect, "key"));
    row("key on the wire", text(effect, "wireKey"));
    row("id at the destination", text(effect, "externalId"));
    row("first sent", text(effect, "firstSentAt"));
    row("attempts", text(effect, "attempts"));
    row("revision", text(effect, "revision"));
    row("guard", text(effect, "guard"));
    row("state", text(effect, "state"));
    row("evidence", text(effect, "evidence"));
    row("id in Hapax", text(effect, "id"));
    html.append("</table>\n");
  }

  private void run(JsonNode receipt) {
    JsonNode run = receipt.path("run");
    html.append("<h2>Who sent it</h2>\n<table>\n");
    if (run.isObject()) {
      row("flow", text(run, "flow") + ", release " + text(run, "release"));
      row("run", text(run, "id") + " with key " + text(run, "key") + ", " + text(run, "status"));
      row("started", text(run, "startedAt"));
      row("ended", text(run, "endedAt"));
    } else {
      row("run", "its record has expired");
    }
    JsonNode stopped = receipt.path("stopped");
    row("repeated starts that were stopped", text(stopped, "starts"));
    row("runs that took the result instead of sending it again", joined(stopped.path("runs")));
    html.append("</table>\n");
  }

  private void attempts(JsonNode attempts) {
    if (attempts.isEmpty()) {
      return;
    }
    html.append("<h2>Attempts</h2>\n<table>\n");
    heading("attempt", "sent", "outcome", "known at", "what came back");
    for (JsonNode attempt : attempts) {
      cells(
          text(attempt, "number"),
          text(attempt, "sentAt"),
          text(attempt, "outcome"),
          text(attempt, "outcomeAt"),
          text(attempt, "says"));
    }
    html.append("</table>\n");
  }

  private void decisions(JsonNode decisions) {
    if (decisions.isEmpty()) {
      return;
    }
    html.append("<h2>Decisions by people</h2>\n<table>\n");
    heading("at", "by", "decision", "reason");
    for (JsonNode decided : decisions) {
      cells(
          text(decided, "at"),
          text(decided, "by"),
          text(decided, "decision"),
          text(decided, "reason"));
    }
    html.append("</table>\n");
  }

  private void values(JsonNode effect) {
    for (String name : new String[] {"request", "result"}) {
      JsonNode value = effect.path(name);
      if (!value.isMissingNode() && !value.isNull()) {
        html.append("<h2>")
            .append(name.substring(0, 1).toUpperCase(Locale.ROOT))
            .append(name.substring(1))
            .append("</h2>\n<pre>")
            .append(escaped(Json.write(value)))
            .append("</pre>\n");
      }
    }
  }

  private void proof(SignedReceipt signed) {
    JsonNode receipt = signed.receipt();
    JsonNode checkpoint = receipt.path("checkpoint");
    html.append("<h2>Signature</h2>\n<table>\n");
    row("made", text(receipt, "issuedAt"));
    row("store and tenant", text(receipt, "store") + ", " + text(receipt, "tenant"));
    row(
        "audit checkpoint",
        "line %s of the audit log, mark %s, /api/audit/checkpoint"
            .formatted(text(checkpoint, "number"), text(checkpoint, "mark")));
    row("public key", signed.key());
    row("signature", signed.signature());
    html.append(
            "</table>\n<p>Check this page with: hapax receipt verify FILE --checkpoint FILE</p>\n")
        .append("<details><summary>Signed data</summary>\n")
        .append(DATA_BEGINS)
        .append(escaped(data(signed)))
        .append(DATA_ENDS)
        .append("\n</details>\n");
  }

  private void row(String name, String value) {
    if (!value.isEmpty()) {
      html.append("<tr><th>")
          .append(escaped(name))
          .append("</th><td>")
          .append(escaped(value))
          .append("</td></tr>\n");
    }
  }

  private void heading(String... names) {
    html.append("<tr>");
    for (String name : names) {
      html.append("<th>").append(escaped(name)).append("</th>");
    }
    html.append("</tr>\n");
  }

  private void cells(String... values) {
    html.append("<tr>");
    for (String value : values) {
      html.append("<td>").append(escaped(value)).append("</td>");
    }
    html.append("</tr>\n");
  }

  private static String joined(JsonNode list) {
    var text = new StringBuilder();
    for (JsonNode one : list) {
      text.append(text.isEmpty() ? "" : ", ").append(one.asString(""));
    }
    return text.toString();
  }

  private static String text(JsonNode object, String name) {
    JsonNode value = object.path(name);
    return value.isMissingNode() || value.isNull() ? "" : value.asString("");
  }

  /** Characters that end lines or reverse the order of others are not shown. */
  static String escaped(String text) {
    var safe = new StringBuilder(text.length() + 16);
    text.codePoints()
        .forEach(
            c -> {
              switch (c) {
                case '&' -> safe.append("&amp;");
                case '<' -> safe.append("&lt;");
                case '>' -> safe.append("&gt;");
                case '"' -> safe.append("&quot;");
                case '\'' -> safe.append("&#39;");
                default -> safe.appendCodePoint(isPlain(c) ? c : 0xfffd);
              }
            });
    return safe.toString();
  }

  /** Such characters occur only inside strings, where JSON has another form for them. */
  private static String data(SignedReceipt signed) {
    var data = new StringBuilder();
    Json.write(signed)
        .chars()
        .forEach(c -> data.append(isPlain(c) ? String.valueOf((char) c) : "\\u%04x".formatted(c)));
    return data.toString();
  }

  /** Undoes {@link #escaped} for the data in a page. */
  static String unescaped(String html) {
    return html.replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&quot;", "\"")
        .replace("&#39;", "'")
        .replace("&amp;", "&");
  }

  private static boolean isPlain(int c) {
    boolean turns =
        (c >= 0x2028 && c <= 0x202e)
            || (c >= 0x2066 && c <= 0x2069)
            || c == 0x200e
            || c == 0x200f
            || c == 0x061c;
    return !turns && (c == '\n' || !Character.isISOControl(c));
  }
}
