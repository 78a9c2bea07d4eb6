package dev.hapax.app.webhook;

import dev.hapax.app.http.Call;
import dev.hapax.app.http.Problem;
import dev.hapax.flows.trigger.WebhookTrigger;
import dev.hapax.json.Json;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Reads the body of a delivery: JSON, or the fields of a form. The scheme and the signed bytes
 * decide which of them it is, never the content type: no sender signs that header, so a captured
 * delivery could be sent again with another meaning.
 */
final class WebhookBody {
  private WebhookBody() {}

  static Object read(Call call, WebhookTrigger.Scheme scheme) {
    String text = call.text();
    return isForm(text, scheme)
        ? form(text)
        : Json.read(call.jsonOfAnyType().toString(), Object.class);
  }

  static boolean isForm(String text, WebhookTrigger.Scheme scheme) {
    return switch (scheme) {
      case GITHUB, SLACK, TWILIO, HMAC, NONE -> isForm(text);
      default -> false;
    };
  }

  /** No JSON is a form: where it contains an equals sign, it begins with one of three others. */
  static boolean isForm(String text) {
    String content = text.stripLeading();
    return content.indexOf('=') >= 0 && "{[\"".indexOf(content.charAt(0)) < 0;
  }

  static Map<String, Object> form(String text) {
    var fields = new LinkedHashMap<String, Object>();
    for (String field : text.split("&", -1)) {
      int end = field.indexOf('=');
      if (!field.isEmpty()) {
        fields.putIfAbsent(
            decoded(end < 0 ? field : field.substring(0, end)),
            end < 0 ? "" : decoded(field.substring(end + 1)));
      }
    }
    return fields;
  }

  private static String decoded(String text) {
    String plain;
    try {
      plain = URLDecoder.decode(text, StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      throw Problem.invalidInput("body: expected form fields");
    }
    if (plain.indexOf('\0') >= 0) {
      throw Problem.invalidInput("body: a form field contains NUL, which cannot be stored");
    }
    return plain;
  }
}
