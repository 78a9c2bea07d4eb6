package dev.hapax.app.mcp.tool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.json.Json;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** An agent cannot read a link that decides, no matter how the message to a person encodes it. */
@SuppressWarnings("MemberName") // the names of tests are sentences
class DecisionLinksTest {
  private static final String TOKEN = "4xq7mzk2vhn6tyd3rj5wbcgl2pa7seuf4oi6xq7mzk2vhn6tyd3r";
  private static final String ADDRESS = "https://hapax.example/approvals/" + TOKEN;
  private static final String MESSAGE = "Decide at " + ADDRESS + " please, it's über-urgent";

  private static DecisionLinks links() {
    return new DecisionLinks(TOKEN::equals);
  }

  private static String base64(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }

  private static String mime(String text) {
    return Base64.getMimeEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }

  private static String form(String text) {
    return "to=ada%40example.com&text=" + URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  @Test
  void a_token_is_hidden_and_the_rest_of_the_text_stays() {
    for (String text :
        List.of(
            MESSAGE,
            form(MESSAGE),
            form(form(MESSAGE)),
            form(MESSAGE).replace("%2F", "%2f"),
            "/mail?text=" + form(MESSAGE),
            "{\"text\":\"https:\\/\\/hapax.example\\/approvals\\/" + TOKEN + "\"}",
            "<a href=\"https:&#x2F;&#x2F;hapax.example&#47;approvals&#47;" + TOKEN + "\">",
            "token " + TOKEN.toUpperCase(Locale.ROOT))) {
      String hidden = links().hidden(text);

      assertThat(hidden).isEqualTo(text.replaceAll("(?i)" + TOKEN, DecisionLinks.INSTEAD));
    }
  }

  @Test
  void a_coded_token_is_hidden_with_its_code() {
    for (String text :
        List.of(
            base64(MESSAGE),
            base64(TOKEN),
            base64("x" + TOKEN),
            base64("xy" + TOKEN),
            "data:text/plain;base64," + base64(MESSAGE),
            "https://relay.example/" + base64(MESSAGE),
            Base64.getUrlEncoder()
                .withoutPadding()
                .encodeToString(MESSAGE.getBytes(StandardCharsets.UTF_8)),
            mime("A longer letter. ".repeat(9) + MESSAGE),
            form(base64("???>>>" + MESSAGE)),
            Json.write(mime("A longer letter. ".repeat(9) + MESSAGE)),
            base64(form(MESSAGE)),
            base64(base64(MESSAGE)),
            percent(MESSAGE))) {
      String hidden = links().hidden(text);

      assertThat(hidden).as(text).contains(DecisionLinks.INSTEAD).doesNotContain(TOKEN);
      assertThat(links().hidden(hidden)).as("nothing is left to hide").isEqualTo(hidden);
    }
  }

  private static String percent(String text) {
    var coded = new StringBuilder();
    for (byte one : text.getBytes(StandardCharsets.UTF_8)) {
      coded.append("%%%02x".formatted(one));
    }
    return coded.toString();
  }

  @Test
  void a_listed_link_is_hidden_without_being_asked_for() {
    String listed = "at /approvals/w-easvirm5lvy8".replace('8', '2') + "." + TOKEN;

    assertThat(new DecisionLinks(_ -> false).hidden(listed)).doesNotContain(TOKEN);
    assertThat(new DecisionLinks(_ -> false).hidden(listed.replace(TOKEN, "3." + TOKEN)))
        .doesNotContain(TOKEN);
  }

  @Test
  void other_texts_stay_as_they_are() {
    String other = "5xq7mzk2vhn6tyd3rj5wbcgl2pa7seuf4oi6xq7mzk2vhn6tyd3r";
    for (String text :
        List.of(
            "x".repeat(100_000),
            "/hooks/callbacks/" + other,
            base64("A long letter without any link in it, that goes on and on, 100 %"),
            form("A long letter without any link in it, that goes on and on, 100 %"))) {
      assertThat(links().hidden(text)).isEqualTo(text);
    }
  }

  @Test
  void values_are_searched_everywhere() {
    JsonNode value =
        Json.tree("{\"n\": 1, \"list\": [true, {\"%s\": \"%s\"}]}".formatted(TOKEN, form(MESSAGE)));

    JsonNode hidden = links().hidden(value);

    assertThat(hidden.toString()).doesNotContain(TOKEN).contains("ada%40example.com");
    assertThat(hidden.at("/list/0").asBoolean()).isTrue();
  }

  @Test
  void a_value_with_very_many_candidates_shows_none_of_them() {
    String many = ("abcdefghijklmnopqrstuvwxyz234567".repeat(100) + " ").repeat(20);

    String hidden = new DecisionLinks(TOKEN::equals).hidden(many + ADDRESS);

    assertThat(hidden).doesNotContain(TOKEN);
  }
}
