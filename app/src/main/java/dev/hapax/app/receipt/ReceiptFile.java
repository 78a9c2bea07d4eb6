package dev.hapax.app.receipt;

import dev.hapax.json.Json;
import dev.hapax.json.NotSerializable;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A file with a receipt: JSON as the API gives it, an answer of the command line around it, or the
 * page.
 *
 * @param page the whole text, if it is a page
 */
public record ReceiptFile(SignedReceipt signed, @Nullable String page) {

  /** The file is no receipt. */
  public static final class Unreadable extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Unreadable(String message) {
      super(message);
    }
  }

  public static ReceiptFile read(String text) {
    int begin = text.indexOf(ReceiptPage.DATA_BEGINS);
    if (begin < 0) {
      return new ReceiptFile(signed(text), null);
    }
    int from = begin + ReceiptPage.DATA_BEGINS.length();
    int end = text.indexOf(ReceiptPage.DATA_ENDS, from);
    if (end < 0) {
      throw new Unreadable("the page ends within its signed data");
    }
    return new ReceiptFile(signed(ReceiptPage.unescaped(text.substring(from, end))), text);
  }

  private static SignedReceipt signed(String json) {
    JsonNode tree;
    try {
      tree = Json.tree(json);
    } catch (NotSerializable e) {
      throw new Unreadable("expected a receipt as JSON or as a page");
    }
    JsonNode signed = tree.path("data").path("receipt").isObject() ? tree.path("data") : tree;
    JsonNode receipt = signed.path("receipt");
    String key = signed.path("key").asString("");
    String signature = signed.path("signature").asString("");
    if (!receipt.isObject() || key.isEmpty() || signature.isEmpty()) {
      throw new Unreadable("expected the members receipt, key and signature");
    }
    return new SignedReceipt(receipt, key, signature);
  }

  /**
   * Whether the page shows what was signed: made again from the signed data, it is the same text.
   * JSON shows itself.
   */
  public boolean showsWhatIsSigned() {
    return page == null || page.equals(ReceiptPage.of(signed));
  }
}
