package dev.hapax.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.app.TestServer.Reply;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Every list of the API has the same form: {items, next}, in pages. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ListRoutesTest {
  @TempDir Path folder;

  /** An operation that answers with items. */
  private record ListRoute(String path, JsonNode operation, JsonNode schema) {
    boolean hasParameter(String name) {
      return operation
          .path("parameters")
          .valueStream()
          .anyMatch(one -> one.path("name").asString().equals(name));
    }
  }

  private static List<ListRoute> lists(JsonNode document) {
    var lists = new ArrayList<ListRoute>();
    document
        .path("paths")
        .forEachEntry(
            (path, operations) -> {
              JsonNode get = operations.path("get");
              JsonNode schema =
                  resolved(document, get.at("/responses/200/content/application~1json/schema"));
              if (resolved(document, schema.at("/properties/items")).has("items")) {
                lists.add(new ListRoute(path, get, schema));
              }
            });
    return lists;
  }

  private static JsonNode resolved(JsonNode document, JsonNode schema) {
    return schema.has("$ref") ? document.at(schema.path("$ref").asString().substring(1)) : schema;
  }

  @Test
  void every_list_has_items_and_next_and_takes_limit_and_after() throws Exception {
    try (var server = new TestServer(folder)) {
      List<ListRoute> lists = lists(server.get("/openapi.json").body());

      assertThat(lists).hasSizeGreaterThan(20);
      for (ListRoute list : lists) {
        assertThat(list.schema().at("/properties").has("next")).as(list.path()).isTrue();
        assertThat(list.hasParameter("limit")).as(list.path() + " limit").isTrue();
        assertThat(list.hasParameter("after")).as(list.path() + " after").isTrue();
      }
      lists.stream()
          .map(ListRoute::path)
          .filter(path -> !path.contains("{"))
          .forEach(path -> answersInPages(server, path));
    }
  }

  private static void answersInPages(TestServer server, String path) {
    String query = path.equals("/api/find") ? "?q=nothing&limit=" : "?limit=";
    Reply page = server.get(path + query + "1");

    assertThat(page.status()).as(path + " " + page.body()).isEqualTo(200);
    assertThat(page.body().path("items").isArray()).as(path).isTrue();
    assertThat(page.body().has("next")).as(path + " " + page.body()).isTrue();
    assertThat(page.body().path("items").size()).as(path).isLessThanOrEqualTo(1);
    assertThat(server.get(path + query + "200").status()).as(path).isEqualTo(200);
    for (String limit : List.of("0", "201", "many")) {
      assertThat(server.get(path + query + limit).status()).as(path + " " + limit).isEqualTo(400);
    }
    assertThat(server.get(path + query + "1&after=nonsense%00").status()).as(path).isIn(200, 400);
  }
}
