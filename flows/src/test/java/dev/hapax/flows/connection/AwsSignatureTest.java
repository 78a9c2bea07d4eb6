package dev.hapax.flows.connection;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Against the signatures that AWS has published. */
class AwsSignatureTest {
  private static final String SECRET = "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY";

  private static String signature(
      String service, String method, String target, Map<String, String> headers, String body) {
    String header =
        AwsSignature.authorization(
            method,
            target,
            headers,
            body.getBytes(StandardCharsets.UTF_8),
            new Connection.Auth.Aws("AKIDEXAMPLE", "aws", "us-east-1", service),
            SECRET);
    assertThat(header)
        .startsWith(
            "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/%s/aws4_request, SignedHeaders="
                .formatted(service));
    return header.substring(header.indexOf("Signature=") + "Signature=".length());
  }

  private static Map<String, String> at(String... more) {
    var headers =
        new HashMap<String, String>(
            Map.of("Host", "example.amazonaws.com", "X-Amz-Date", "20150830T123600Z"));
    for (int i = 0; i < more.length; i += 2) {
      headers.put(more[i], more[i + 1]);
    }
    return headers;
  }

  @Test
  void the_signatures_of_the_published_suite_are_ours() {
    assertThat(signature("service", "GET", "/", at(), ""))
        .isEqualTo("5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31");
    assertThat(signature("service", "POST", "/", at(), ""))
        .isEqualTo("5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b");
    assertThat(signature("service", "GET", "/?Param2=value2&Param1=value1", at(), ""))
        .isEqualTo("b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500");
    assertThat(
            signature(
                "service",
                "POST",
                "/",
                at("Content-Type", "application/x-www-form-urlencoded"),
                "Param1=value1"))
        .isEqualTo("ff11897932ad3f4e8b18135d722051e5ac45fc38421b1da7b9d196a0fe09473a");
  }

  @Test
  void the_signature_of_the_guide_is_ours_and_other_headers_do_not_change_it() {
    Map<String, String> headers =
        at(
            "Host",
            "iam.amazonaws.com",
            "Content-Type",
            "application/x-www-form-urlencoded; charset=utf-8");
    String expected = "5d672d79c15b13162d9279b0855cfba6789a8edb4c82c400e06b5924a6f2b5d7";

    assertThat(signature("iam", "GET", "/?Action=ListUsers&Version=2010-05-08", headers, ""))
        .isEqualTo(expected);
    headers.put("User-Agent", "another");
    assertThat(signature("iam", "GET", "/?Action=ListUsers&Version=2010-05-08", headers, ""))
        .isEqualTo(expected);
    assertThat(signature("iam", "GET", "/?Action=ListUsers&Version=2010-05-08", headers, "x"))
        .isNotEqualTo(expected);
  }
}
