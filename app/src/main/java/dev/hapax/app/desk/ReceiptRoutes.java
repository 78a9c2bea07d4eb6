package dev.hapax.app.desk;

import dev.hapax.Hapax;
import dev.hapax.app.access.DocumentSigner;
import dev.hapax.app.http.Call;
import dev.hapax.app.http.Problem;
import dev.hapax.app.http.Route;
import dev.hapax.app.http.RouteAnswer;
import dev.hapax.app.http.TokenScope;
import dev.hapax.app.receipt.EffectReceipt;
import dev.hapax.app.receipt.ReceiptPage;
import dev.hapax.app.receipt.ReceiptSeal;
import dev.hapax.app.receipt.SignedReceipt;
import dev.hapax.flow.EffectRecord;
import dev.hapax.json.Json;
import dev.hapax.time.Clock;
import java.util.List;
import java.util.Locale;
import tools.jackson.databind.JsonNode;

/** Receipts over HTTP: signed JSON, or the same as a page. */
public final class ReceiptRoutes {
  private final DocumentSigner signer;
  private final Clock clock;

  public ReceiptRoutes(DocumentSigner signer, Clock clock) {
    this.signer = signer;
    this.clock = clock;
  }

  public List<Route> routes() {
    return List.of(
        Route.get(
                "/api/receipts/{effect}",
                TokenScope.EFFECTS_READ,
                "Get a signed receipt of an effect, as JSON or as a page",
                this::get)
            .about(DeskEffects.inPath("effect"))
            .query("format", "`json` (default) or `html`; `Accept: text/html` means the page, too.")
            .gives(200, SignedReceipt.class));
  }

  private RouteAnswer get(Call call) {
    call.allowQuery("format");
    boolean isPage = isPage(call);
    Hapax hapax = call.hapax();
    EffectRecord row = DeskEffects.effect(hapax, call.path("effect"));
    String tenant = call.actor().tenant();
    EffectReceipt receipt =
        new ReceiptFacts(hapax, row)
            .receipt(signer.store(), clock.now(), Json.tree(Json.write(signer.checkpoint(tenant))));
    SignedReceipt signed = sign(receipt);
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
