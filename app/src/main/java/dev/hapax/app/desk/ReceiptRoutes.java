package dev.hapax.app.desk;

import dev.hapax.Hapax;
import dev.hapax.app.access.DocumentSigner;
import dev.hapax.app.http.Call;
import dev.hapax.app.http.FlowSubject;
import dev.hapax.app.http.Problem;
import dev.hapax.app.http.Route;
import dev.hapax.app.http.RouteAnswer;
import dev.hapax.app.http.TokenScope;
import dev.hapax.app.receipt.ReceiptPage;
import dev.hapax.app.receipt.ReceiptSeal;
import dev.hapax.app.receipt.SignedReceipt;
import dev.hapax.flow.EffectReceipt;
import dev.hapax.flow.EffectRecord;
import dev.hapax.flow.ExpiredEffect;
import dev.hapax.json.Json;
import java.util.List;
import java.util.Locale;
import tools.jackson.databind.JsonNode;

/** Receipts over HTTP: signed JSON, or the same as a page. */
public final class ReceiptRoutes {
  private static final String FORMATS =
      "`json` (default) or `html`; `Accept: text/html` means the page, too.";

  private final DocumentSigner signer;

  public ReceiptRoutes(DocumentSigner signer) {
    this.signer = signer;
  }

  public List<Route> routes() {
    return List.of(
        Route.get(
                "/api/receipts/{effect}",
                TokenScope.EFFECTS_READ,
                "Get a signed receipt of an effect, as JSON or as a page",
                this::get)
            .about(DeskEffects.inPath("effect"))
            .query("format", FORMATS)
            .gives(200, SignedReceipt.class),
        Route.get(
                "/api/receipts",
                TokenScope.EFFECTS_READ,
                "Get a signed receipt by the name and the key of an effect, also of one whose record has expired",
                this::find)
            .about(FlowSubject.LISTED)
            .query("name", "The name of the effect.")
            .query("key", "Its business key.")
            .query("format", FORMATS)
            .gives(200, SignedReceipt.class));
  }

  /** The flow of an expired effect is not known: only a token for all flows sees what is left. */
  private RouteAnswer find(Call call) {
    call.allowQuery("name", "key", "format");
    boolean isPage = isPage(call);
    String name = needed(call, "name");
    String key = needed(call, "key");
    Hapax hapax = call.hapax();
    EffectRecord row;
    ExpiredEffect left;
    try {
      row = hapax.ledger().find(name, key);
      left = row == null ? hapax.ledger().findExpired(name, key) : null;
    } catch (IllegalArgumentException e) {
      throw Problem.invalidInput("key: " + e.getMessage());
    }
    if (row != null && DeskEffects.isFor(call, hapax.findRun(row.run()))) {
      return answer(call, hapax.receipts().of(row), isPage);
    }
    if (left != null && call.actor().flows().isAll()) {
      return answer(call, hapax.receipts().of(left), isPage);
    }
    throw Problem.notFound(
        "there is no effect '%s' with the key '%s', and nothing is left of one. Check both: the name is effect.name of the step, or flow/step. After its retention and the life of its tombstone nothing is known about an effect; a receipt from before stays valid"
            .formatted(name, key));
  }

  private static String needed(Call call, String name) {
    String value = call.query(name);
    if (value == null || value.isEmpty()) {
      throw Problem.invalidInput(
          "%s: expected the %s of an effect, as in /api/receipts?name=order/invoice&key=A-1"
              .formatted(name, name));
    }
    return value;
  }

  private RouteAnswer get(Call call) {
    call.allowQuery("format");
    boolean isPage = isPage(call);
    Hapax hapax = call.hapax();
    EffectRecord row = DeskEffects.effect(hapax, call.path("effect"));
    return answer(call, hapax.receipts().of(row), isPage);
  }

  private RouteAnswer answer(Call call, EffectReceipt receipt, boolean isPage) {
    String checkpoint = Json.write(signer.checkpoint(call.actor().tenant()));
    SignedReceipt signed = sign(receipt.at(checkpoint));
    return isPage
        ? RouteAnswer.text(ReceiptPage.of(signed), "text/html; charset=utf-8")
            .header("Content-Security-Policy", ReceiptPage.POLICY + "; frame-ancestors 'none'")
            .header("Referrer-Policy", "no-referrer")
            .header("Cache-Control", "no-store")
        : RouteAnswer.ok(signed).header("Cache-Control", "no-store");
  }

  private SignedReceipt sign(EffectReceipt receipt) {
    JsonNode content = Json.tree(Json.write(receipt));
    return new SignedReceipt(
        content, signer.key(), signer.sign(ReceiptSeal.content(content, signer.key())));
  }

  private static boolean isPage(Call call) {
    String format = call.query("format");
    if (format != null) {
      return switch (format) {
        case "json" -> false;
        case "html" -> true;
        default ->
            throw Problem.invalidInput("format: expected json or html, got '%s'".formatted(format));
      };
    }
    String accept = call.header("Accept");
    if (accept == null) {
      return false;
    }
    String wanted = accept.toLowerCase(Locale.ROOT);
    return wanted.contains("text/html") && !wanted.startsWith("application/json");
  }
}
