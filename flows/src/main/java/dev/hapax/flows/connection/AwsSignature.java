package dev.hapax.flows.connection;

import dev.hapax.json.Digest;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Signs a request after AWS Signature Version 4. Host, content type, the headers of AWS and the
 * body are signed. The signature does not show the secret.
 */
final class AwsSignature {
  private static final String ALGORITHM = "AWS4-HMAC-SHA256";
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss'Z'", Locale.ROOT).withZone(ZoneOffset.UTC);

  private AwsSignature() {}

  /** Adds the time and the signature to a request that is complete otherwise. */
  static void sign(
      OutgoingRequest request, String method, Connection.Auth.Aws by, String secret, Instant at) {
    request.put("X-Amz-Date", TIME.format(at));
    request.put(
        "Authorization",
        authorization(method, request.target(), request.headers(), request.body(), by, secret));
  }

  /**
   * Returns the header that proves the sender.
   *
   * @param headers with X-Amz-Date
   */
  static String authorization(
      String method,
      String target,
      Map<String, String> headers,
      byte[] body,
      Connection.Auth.Aws by,
      String secret) {
    SortedMap<String, String> signed = signed(headers);
    String names = String.join(";", signed.keySet());
    String time = String.valueOf(signed.get("x-amz-date"));
    String scope =
        "%s/%s/%s/aws4_request".formatted(time.substring(0, 8), by.region(), by.service());
    String request = canonical(method, target, signed, names, body);
    String text =
        String.join("\n", ALGORITHM, time, scope, HexFormat.of().formatHex(Digest.sha256(request)));
    byte[] key = ("AWS4" + secret).getBytes(StandardCharsets.UTF_8);
    for (String part : scope.split("/", -1)) {
      key = hmac(key, part);
    }
    return "%s Credential=%s/%s, SignedHeaders=%s, Signature=%s"
        .formatted(
            ALGORITHM, by.accessKey(), scope, names, HexFormat.of().formatHex(hmac(key, text)));
  }

  private static SortedMap<String, String> signed(Map<String, String> headers) {
    var signed = new TreeMap<String, String>();
    headers.forEach(
        (header, value) -> {
          String name = header.toLowerCase(Locale.ROOT);
          if (name.equals("host") || name.equals("content-type") || name.startsWith("x-amz-")) {
            signed.put(name, value.strip().replaceAll(" +", " "));
          }
        });
    return signed;
  }

  private static String canonical(
      String method, String target, SortedMap<String, String> signed, String names, byte[] body) {
    int question = target.indexOf('?');
    String path = question < 0 ? target : target.substring(0, question);
    String query = question < 0 ? "" : sorted(target.substring(question + 1));
    String headers =
        signed.entrySet().stream()
            .map(header -> header.getKey() + ":" + header.getValue() + "\n")
            .collect(Collectors.joining());
    return String.join(
        "\n",
        method,
        path.replace("%", "%25"), // the path is encoded once more
        query,
        headers,
        names,
        HexFormat.of().formatHex(Digest.sha256(body)));
  }

  private static String sorted(String query) {
    return Arrays.stream(query.split("&", -1))
        .filter(part -> !part.isEmpty())
        .map(part -> part.indexOf('=') < 0 ? part + "=" : part)
        .sorted()
        .collect(Collectors.joining("&"));
  }

  private static byte[] hmac(byte[] key, String text) {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(key, "HmacSHA256"));
      return mac.doFinal(text.getBytes(StandardCharsets.UTF_8));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java platform has HmacSHA256", e);
    }
  }
}
