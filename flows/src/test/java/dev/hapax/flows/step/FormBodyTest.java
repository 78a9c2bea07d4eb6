package dev.hapax.flows.step;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.hapax.flow.Rejected;
import dev.hapax.flows.connection.HttpRequest;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Bodies that destinations want in another form: fields of a form, and a key inside. */
class FormBodyTest {
  @Test
  void a_mapping_becomes_the_fields_of_a_form() {
    var fields = new LinkedHashMap<String, @Nullable Object>();
    fields.put("amount", 4000);
    fields.put("text", "a&b=c +ü");
    fields.put("none", null);
    fields.put("confirm", true);
    fields.put("metadata", Map.of("order", "A-1"));
    fields.put("items", Arrays.asList(Map.of("price", "p"), "x"));
    fields.put("empty", List.of());

    assertThat(FormBody.of(fields))
        .isEqualTo(
            "amount=4000&text=a%26b%3Dc+%2B%C3%BC&confirm=true&metadata[order]=A-1&items[0][price]=p&items[1]=x");
    assertThat(FormBody.of(Map.of())).isEmpty();
  }

  @Test
  void only_the_content_type_asks_for_a_form() {
    assertThat(FormBody.isWanted(Map.of("content-TYPE", " Application/X-www-form-urlencoded; a=b")))
        .isTrue();
    assertThat(FormBody.isWanted(Map.of("Content-Type", "application/json"))).isFalse();
    assertThat(FormBody.isWanted(Map.of())).isFalse();
  }

  private static HttpRequest request(@Nullable String body) {
    return new HttpRequest("shop", "POST", "/", Map.of(), body);
  }

  @Test
  void a_key_goes_into_a_member_or_an_inner_one() {
    assertThat(KeyField.put(request("{\"a\":1}"), "key", "k").body())
        .isEqualTo("{\"a\":1,\"key\":\"k\"}");
    assertThat(KeyField.put(request(null), "key", "k").body()).isEqualTo("{\"key\":\"k\"}");
    assertThat(
            KeyField.put(request("{\"q\":\"m\",\"variables\":{\"a\":1}}"), "/variables/key", "k")
                .body())
        .isEqualTo("{\"q\":\"m\",\"variables\":{\"a\":1,\"key\":\"k\"}}");
    assertThat(KeyField.put(request("{}"), "/variables/key", "k").body())
        .isEqualTo("{\"variables\":{\"key\":\"k\"}}");
  }

  @Test
  void a_body_that_cannot_take_the_key_is_refused_before_anything_is_sent() {
    for (String body : List.of("[1]", "a=b", "{\"variables\": 1}")) {
      assertThatThrownBy(() -> KeyField.put(request(body), "/variables/key", "k"))
          .as(body)
          .isInstanceOf(Rejected.class)
          .hasMessageContaining("/variables/key");
    }
  }
}
