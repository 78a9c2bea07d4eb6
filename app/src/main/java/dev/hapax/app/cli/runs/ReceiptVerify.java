package dev.hapax.app.cli.runs;

import dev.hapax.app.cli.output.Exit;
import dev.hapax.app.cli.output.Item;
import dev.hapax.app.cli.output.Refusal;
import dev.hapax.app.cli.output.Sheet;
import dev.hapax.app.cli.output.VerbAnswer;
import dev.hapax.app.cli.verb.Inputs;
import dev.hapax.app.cli.verb.Verb;
import dev.hapax.app.cli.verb.VerbCall;
import dev.hapax.app.receipt.ReceiptFile;
import dev.hapax.app.receipt.ReceiptSeal;
import dev.hapax.app.receipt.SignedReceipt;
import dev.hapax.json.Json;
import dev.hapax.json.NotSerializable;
import java.io.IOException;
import java.util.LinkedHashMap;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "verify",
    description = {
      "Checks a receipt, JSON or page, without a server: signature, content and key.",
      "Give a public key or an audit checkpoint that you got from the server at another time."
    })
final class ReceiptVerify extends Verb {
  @Parameters(paramLabel = "FILE", description = "The receipt, or - for standard input.")
  String file = "";

  @ArgGroup(exclusive = true, multiplicity = "0..1")
  Trusted trusted = new Trusted();

  /** A key that does not come from the receipt itself. */
  static final class Trusted {
    @Option(names = "--key", paramLabel = "KEY", description = "The public key, in base64.")
    @Nullable String key;

    @Option(
        names = "--checkpoint",
        paramLabel = "FILE",
        description = "An audit checkpoint of the server, see: hapax audit --help")
    @Nullable String checkpoint;
  }

  @Override
  public VerbAnswer answer(VerbCall call) throws IOException {
    ReceiptFile receipt = read(Inputs.text(file, call.surroundings()));
    SignedReceipt signed = receipt.signed();
    String expected = expected(call);
    boolean isSigned = ReceiptSeal.isSigned(signed);
    boolean shows = receipt.showsWhatIsSigned();
    boolean isKeyKnown = expected != null;
    boolean isKeySame = expected == null || expected.equals(signed.key());
    var data = new LinkedHashMap<String, Object>();
    data.put("valid", isSigned && shows && isKeySame);
    data.put("signature", isSigned ? "good" : "bad");
    data.put("content", !isSigned ? "unknown" : shows ? "as signed" : "differs");
    data.put("key", !isKeyKnown ? "not compared" : isKeySame ? "same" : "other");
    data.put("publicKey", signed.key());
    data.put("receipt", signed.receipt());
    var sheet =
        new Sheet()
            .line(
                "signature",
                isSigned
                    ? "good: it fits the content and the key in the file"
                    : "bad: the file was changed, or was never signed")
            .line(
                "content",
                shows
                    ? isSigned ? "as signed" : ""
                    : "the page differs from its signed data: it was changed, or another version of Hapax made it. Read the signed data")
            .line(
                "key",
                !isKeyKnown
                    ? "not compared with one that you know: give --key or --checkpoint"
                    : isKeySame
                        ? "the one that you gave"
                        : "not the one that you gave: another server signed it")
            .line("public key", signed.key());
    String text = sheet.text(isSigned && shows && isKeySame ? "valid" : "not valid", call.paint());
    VerbAnswer answer =
        VerbAnswer.of(
            data,
            isSigned ? text + ReceiptVerb.sheet(new Item(signed.receipt()), call.paint()) : text);
    return isSigned && shows && isKeySame
        ? answer
        : answer.refused(
            Refusal.of(Exit.REFUSED, "not-valid", "the receipt is not valid: do not rely on it"));
  }

  private static ReceiptFile read(String text) {
    try {
      return ReceiptFile.read(text);
    } catch (ReceiptFile.Unreadable e) {
      throw Refusal.of(Exit.REFUSED, "not-a-receipt", String.valueOf(e.getMessage()));
    }
  }

  private @Nullable String expected(VerbCall call) throws IOException {
    String from = trusted.checkpoint;
    if (from == null) {
      return trusted.key;
    }
    try {
      var checkpoint = Json.tree(Inputs.text(from, call.surroundings()));
      var inner = checkpoint.path("data").isObject() ? checkpoint.path("data") : checkpoint;
      String key = inner.path("key").asString("");
      if (!key.isEmpty()) {
        return key;
      }
    } catch (NotSerializable _) {
      // falls through to the one message
    }
    throw Refusal.usage("expected an audit checkpoint with its key in '%s'".formatted(from));
  }
}
