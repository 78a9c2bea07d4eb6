package dev.hapax.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.hapax.app.Collector.Span;
import dev.hapax.flow.RunId;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** An OTLP collector receives the work of runs, each run in one trace. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class TracesTest {
  private static final String CALLER = "0af7651916cd43dd8448eb211c80319c";
  private static final String NAPPING =
      """
      flow: napping
      key: ${input.id}
      steps:
        - {id: nap, wait: {for: 300ms}}
        - id: charge
          call: {handler: charge, input: "${input.id}"}
          effect: {kind: create, key: "${input.id}", guard: none}
      """;

  @TempDir Path folder;
  private Collector collector;

  @BeforeEach
  void listen() throws IOException {
    collector = new Collector();
  }

  @AfterEach
  void close() {
    collector.close();
  }

  private TestServer open() throws IOException {
    return new TestServer(
        folder,
        "traces.url=" + collector.address(),
        "traces.headers=X-Credential=collectors-credential",
        "traces.every=50ms");
  }

  private static String traceOf(String run) {
    return HexFormat.of().formatHex(RunId.parse(run).bytes());
  }

  private List<Span> named(String trace, String name) {
    return collector.spans().stream()
        .filter(span -> span.trace().equals(trace) && span.name().equals(name))
        .toList();
  }

  /** So many spans of this name; the collector hears of them in its own time. */
  private List<Span> await(String trace, String name, int least) throws InterruptedException {
    while (named(trace, name).size() < least) {
      Thread.sleep(10);
    }
    return named(trace, name);
  }

  @Test
  void a_run_that_slept_is_one_trace_and_its_caller_points_to_it() throws Exception {
    try (TestServer server = open()) {
      server.release(NAPPING);
      String run =
          server
              .post(
                  "/api/flows/napping/runs",
                  "{\"id\": \"the-payload\"}",
                  "Prefer",
                  "wait=20",
                  "traceparent",
                  "00-" + CALLER + "-b7ad6b7169203331-01")
              .at("/id");
      Span whole = await(traceOf(run), "run napping", 1).getFirst();

      List<Span> stays = await(whole.trace(), "stay", 2);
      assertThat(stays).allMatch(stay -> stay.parent().equals(whole.id()));
      assertThat(await(whole.trace(), "effect napping/charge", 1))
          .singleElement()
          .satisfies(
              effect -> assertThat(stays).anyMatch(stay -> stay.id().equals(effect.parent())));
      assertThat(whole.parent()).matches("0*");
      Span request = await(CALLER, "POST /api/flows/{flow}/runs", 1).getFirst();
      assertThat(request.parent()).isEqualTo("b7ad6b7169203331");
      assertThat(request.links()).containsExactly(whole.trace());
      assertThat(collector.everything())
          .contains("collectors-credential") // as a header
          .doesNotContain("the-payload", server.token());
    }
  }

  /** Answers the first question with 503 and the next one with this. */
  private static HttpServer model(String path, String answer) throws IOException {
    HttpServer model =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    var asked = new AtomicInteger();
    model.createContext(
        path,
        exchange -> {
          byte[] body = answer.getBytes(StandardCharsets.UTF_8);
          exchange.getResponseHeaders().add("Content-Type", "application/json");
          exchange.sendResponseHeaders(asked.getAndIncrement() == 0 ? 503 : 200, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    model.start();
    return model;
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "anthropic | '' | /v1/messages | {\"type\": \"message\", \"model\": \"small-7\", \"content\": [{\"type\": \"text\", \"text\": \"the-answer\"}], \"stop_reason\": \"end_turn\", \"usage\": {\"input_tokens\": 20, \"output_tokens\": 5}}",
        "openai | /v1 | /v1/chat/completions | {\"model\": \"small-7\", \"choices\": [{\"index\": 0, \"message\": {\"role\": \"assistant\", \"content\": \"the-answer\"}, \"finish_reason\": \"stop\"}], \"usage\": {\"prompt_tokens\": 20, \"completion_tokens\": 5}}"
      })
  void each_attempt_of_a_call_of_a_model_has_its_outcome_and_its_tokens_and_no_words(
      String dialect, String base, String path, String answer) throws Exception {
    HttpServer model = model(path, answer);
    try (TestServer server = open()) {
      server.put(
          "/api/connections/model",
          """
          {"llm": {"dialect": "%s", "base": "http://127.0.0.1:%d%s", "privateHosts": ["127.0.0.1"], "prices": {"small": {"input": 1, "output": 10}}}}\
          """
              .formatted(dialect, model.getAddress().getPort(), base));
      server.release(
          """
          flow: asking
          key: ${input.id}
          steps:
            - id: ask
              llm: {connection: model, model: small, prompt: "${input.id}", maxTokens: 10}
              retry: {attempts: 2, delay: 10ms, within: 1h}
          output: {text: "${steps.ask.output.text}"}
          """);
      String run =
          server
              .post("/api/flows/asking/runs", "{\"id\": \"the-payload\"}", "Prefer", "wait=20")
              .at("/id");
      Span whole = await(traceOf(run), "run asking", 1).getFirst();

      List<Span> attempts = await(whole.trace(), "effect asking/hapax.llm", 2);
      assertThat(attempts)
          .hasSize(2)
          .allSatisfy(
              attempt ->
                  assertThat(attempt.attributes())
                      .containsEntry("gen_ai.operation.name", "chat")
                      .containsEntry("gen_ai.provider.name", dialect)
                      .containsEntry("gen_ai.request.model", "small"));
      assertThat(attempts.getFirst().attributes())
          .containsEntry("hapax.model.outcome", "http-503")
          .containsEntry("gen_ai.usage.input_tokens", "0")
          .containsEntry("gen_ai.usage.output_tokens", "0")
          .containsEntry("hapax.model.cost", "0.0")
          .doesNotContainKeys("gen_ai.response.model", "gen_ai.response.finish_reasons");
      assertThat(attempts.getLast().attributes())
          .containsEntry("hapax.model.outcome", "answered")
          .containsEntry("gen_ai.response.model", "small-7")
          .containsEntry("gen_ai.response.finish_reasons", "[stop]")
          .containsEntry("gen_ai.usage.input_tokens", "20")
          .containsEntry("gen_ai.usage.output_tokens", "5")
          .containsEntry("hapax.model.cost", "7.0E-5");
      assertThat(collector.everything()).doesNotContain("the-payload", "the-answer");
      assertThat(server.get("/metrics").raw().body())
          .contains("hapax_model_calls_total{outcome=\"answered\"} 1.0")
          .contains("hapax_model_calls_total{outcome=\"http-503\"} 1.0")
          .contains("hapax_model_tokens_total{kind=\"input\"} 20.0")
          .contains("hapax_model_tokens_total{kind=\"output\"} 5.0")
          .contains("hapax_model_cost_total 7.0E-5");
      assertThat(server.get("/api/runs/" + run + "/history").raw().body())
          .contains("the-payload", "the-answer", "\"outputTokens\":5");
    } finally {
      model.stop(0);
    }
  }

  @Test
  void a_run_that_another_process_takes_up_stays_in_its_trace() throws Exception {
    String run;
    String callback;
    try (TestServer first = open()) {
      run = first.post("/api/flows/tell/runs", "{\"id\": \"A-1\"}").at("/id");
      callback = ApiGoldenTest.callbackOf(first, run);
    }
    int before = named(traceOf(run), "stay").size();
    assertThat(before).isPositive();

    try (TestServer second = open()) {
      second.post("/api/callbacks/" + callback, "{\"ok\": true}");
      Span whole = await(traceOf(run), "run tell", 1).getFirst();

      assertThat(await(whole.trace(), "stay", before + 1))
          .allMatch(stay -> stay.parent().equals(whole.id()));
    }
    assertThat(collector.everything()).doesNotContain(callback);
  }
}
