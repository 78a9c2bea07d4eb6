package dev.hapax.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.hapax.Hapax;
import dev.hapax.HapaxOptions;
import dev.hapax.app.api.SubjectRoutes;
import dev.hapax.app.http.Actor;
import dev.hapax.app.http.Call;
import dev.hapax.app.http.FlowLimit;
import dev.hapax.app.http.LabelsOfFlows;
import dev.hapax.app.http.Problem;
import dev.hapax.app.http.Request;
import dev.hapax.app.http.Route;
import dev.hapax.app.http.RouteAnswer;
import dev.hapax.app.http.TokenScope;
import dev.hapax.flow.Flow;
import dev.hapax.json.Json;
import dev.hapax.store.ForwardingStore;
import dev.hapax.store.Store;
import dev.hapax.testkit.memory.MemoryStore;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** An export takes the memory of one record, however much is stored about a person. */
@SuppressWarnings("MemberName") // the names of tests are sentences
class SubjectExportTest {
  private static final int RUNS = 20;

  private final CountingResources store = new CountingResources();
  private final Hapax hapax = Hapax.open(store, HapaxOptions.DEFAULT);

  private static final class CountingResources extends ForwardingStore {
    private final Store counted = new MemoryStore();
    private final AtomicInteger contents = new AtomicInteger();

    @Override
    protected Store to() {
      return counted;
    }

    @Override
    public byte @Nullable [] content(long resource) {
      contents.incrementAndGet();
      return counted.content(resource);
    }
  }

  record Photo(String id, String person) {}

  @AfterEach
  void close() {
    hapax.close();
  }

  @Test
  void large_values_are_read_when_the_records_before_them_have_been_sent() throws Exception {
    Flow<Photo, String> flow =
        Flow.of("photo", Photo.class, String.class)
            .key(Photo::id)
            .subject(Photo::person)
            .body((_, photo) -> photo.id().repeat(100_000));
    hapax.register(flow);
    for (int i = 0; i < RUNS; i++) {
      hapax.start(flow, new Photo("p" + i, "ann-4711")).await();
    }
    int before = store.contents.get();

    RouteAnswer answer = export("{\"id\": \"ann-4711\"}");
    int found = store.contents.get() - before;
    var sent = new Sent(before);
    ((RouteAnswer.Stream) answer.body()).writer().write(sent);

    assertThat(found).isZero();
    assertThat(sent.mostAhead).isEqualTo(1);
    JsonNode whole = Json.tree(sent.text.toString());
    assertThat(whole.path("records").findValuesAsString("type"))
        .filteredOn("run"::equals)
        .hasSize(RUNS);
    assertThat(whole.path("records").findValuesAsString("base64")).hasSize(RUNS);
    assertThat(whole.at("/records/0/content/history/0/type").asString()).isEqualTo("accepted");
  }

  @Test
  void an_id_that_names_no_person_is_refused_before_the_answer_begins() {
    assertThatThrownBy(() -> export("{\"id\": \"\"}"))
        .isInstanceOfSatisfying(
            Problem.class, problem -> assertThat(problem.status()).isEqualTo(400));
  }

  private RouteAnswer export(String body) throws Exception {
    Route route =
        new SubjectRoutes(hapax)
            .routes().stream()
                .filter(one -> one.path().equals("/api/subjects/export"))
                .findFirst()
                .orElseThrow();
    var actor =
        new Actor("token:t", "ada", "default", Set.of(TokenScope.ADMIN), Set.of(), FlowLimit.ALL);
    return route
        .handler()
        .handle(new Call(new Asked(body), actor, hapax::tenant, LabelsOfFlows.NONE));
  }

  /** What was sent, and how many resources were read at most before they were sent. */
  private final class Sent implements RouteAnswer.Sink {
    private final StringBuilder text = new StringBuilder();
    private final int before;
    private int resources;
    private int mostAhead;

    Sent(int before) {
      this.before = before;
    }

    @Override
    public void send(String part) {
      text.append(part);
    }

    @Override
    public void sendJson(Object value) {
      mostAhead = Math.max(mostAhead, store.contents.get() - before - resources);
      String json = Json.write(value);
      resources += json.startsWith("{\"type\":\"resource\"") ? 1 : 0;
      text.append(json);
    }

    @Override
    public boolean isClosing() {
      return false;
    }
  }

  private record Asked(String json) implements Request {
    @Override
    public String path() {
      return "/api/subjects/export";
    }

    @Override
    public String pathParameter(String name) {
      return "";
    }

    @Override
    public List<String> queryParameters(String name) {
      return List.of();
    }

    @Override
    public List<String> queryNames() {
      return List.of();
    }

    @Override
    public @Nullable String header(String name) {
      return null;
    }

    @Override
    public Map<String, List<String>> headers() {
      return Map.of();
    }

    @Override
    public byte[] body() {
      return json.getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public byte[] bodyToParse() {
      return body();
    }

    @Override
    public void forgetBody() {}

    @Override
    public String remoteAddress() {
      return "127.0.0.1";
    }
  }
}
