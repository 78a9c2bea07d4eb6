package dev.hapax.app.crash;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.hapax.app.ServerCalls;
import dev.hapax.app.ServerProcess;
import java.io.IOException;
import java.math.BigDecimal;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A server that is killed while it asks a model, and after the answer: only what was in flight is
 * asked again, and what that may have cost stays on the account.
 */
@Tag("crash")
@Timeout(value = 240, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class KilledModelCallsTest {
  private static final int QUESTIONS = 12;

  private static final String FLOW =
      """
      flow: sort
      key: ${input.id}
      steps:
        - id: first
          llm: {connection: model, model: small, prompt: "${input.id}-first", maxTokens: 50, budget: {day: 10}}
          retry: {attempts: 20, delay: 100ms, maxDelay: 1s}
        - id: second
          llm: {connection: model, model: small, prompt: "${input.id}-second after ${steps.first.output.text}", maxTokens: 50, budget: {day: 10}}
          retry: {attempts: 20, delay: 100ms, maxDelay: 1s}
      output: {text: "${steps.second.output.text}", cost: "${steps.first.output.usage.cost + steps.second.output.usage.cost}"}
      """;

  @TempDir Path folder;

  private final Map<String, Integer> asked = new ConcurrentHashMap<>();
  private final CountDownLatch firstAsked = new CountDownLatch(1);
  private volatile boolean isSilent = true;

  @Test
  void a_kill_in_the_middle_repeats_at_most_the_question_in_flight() throws Exception {
    HttpServer model =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    model.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    model.createContext("/v1/chat/completions", this::answer);
    model.start();
    ServerProcess server = new ServerProcess(folder, List.of("-Xmx192m"));
    try {
      String token = server.token();
      ServerProcess.must(
          server.ask(
              token,
              "PUT",
              "/api/connections/model",
              """
              {"llm": {"dialect": "openai", "base": "http://127.0.0.1:%d/v1", "privateHosts": ["127.0.0.1"], "prices": {"*": {"input": 1, "output": 10}}}}\
              """
                  .formatted(model.getAddress().getPort())));
      server.release(token, FLOW);

      String run = start(server, "A");
      assertThat(firstAsked.await(60, TimeUnit.SECONDS)).isTrue();
      server.kill(); // the question is in flight, and its answer never comes
      server.close();
      isSilent = false;
      server = new ServerProcess(folder, List.of("-Xmx192m"));
      awaitEnd(server, run);

      assertThat(asked).containsExactlyInAnyOrderEntriesOf(Map.of("A-first", 2, "A-second", 1));
      ServerCalls.Reply account = server.get(token, "/api/kv/hapax/llm/spend/flow/sort");
      BigDecimal unknown = new BigDecimal(account.at("/value/unknown"));
      BigDecimal cost = new BigDecimal(account.at("/value/cost"));
      assertThat(unknown).isPositive().isLessThan(new BigDecimal("0.01"));
      assertThat(cost).isEqualByComparingTo(unknown.add(new BigDecimal("0.00014")));
      assertThat(new BigDecimal(account.at("/value/reserved"))).isZero();
      assertThat(new BigDecimal(server.get(token, "/api/runs/" + run).at("/output/cost")))
          .isEqualByComparingTo(cost);

      for (int i = 0; i < QUESTIONS; i++) {
        var _ = start(server, "B" + i);
      }
      server.kill(); // anywhere
      server.close();
      server = new ServerProcess(folder, List.of("-Xmx192m"));
      for (int i = 0; i < QUESTIONS; i++) {
        awaitEnd(server, start(server, "B" + i));
      }
      assertThat(asked.values()).allMatch(times -> times <= 2);
      Map<String, Integer> before = Map.copyOf(asked);
      server.kill();
      server.close();
      server = new ServerProcess(folder, List.of("-Xmx192m"));
      for (int i = 0; i < QUESTIONS; i++) {
        awaitEnd(server, start(server, "B" + i));
      }
      assertThat(asked).isEqualTo(before);
      server.stop();
    } finally {
      server.close();
      model.stop(0);
    }
  }

  private void answer(HttpExchange exchange) throws IOException {
    String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
    Matcher question = Pattern.compile("\\b[AB]\\d*-(first|second)").matcher(body);
    assertThat(question.find()).isTrue();
    asked.merge(question.group(), 1, Integer::sum);
    firstAsked.countDown();
    if (isSilent) {
      LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(30));
      exchange.close();
      return;
    }
    byte[] answer =
        """
        {"model": "small", "choices": [{"index": 0, "message": {"role": "assistant", "content": "yes"}, "finish_reason": "stop"}], "usage": {"prompt_tokens": 20, "completion_tokens": 5}}\
        """
            .getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().add("Content-Type", "application/json");
    exchange.sendResponseHeaders(200, answer.length);
    exchange.getResponseBody().write(answer);
    exchange.close();
  }

  private static String start(ServerProcess server, String id) throws Exception {
    return ServerProcess.must(
            server.ask(
                server.token(), "POST", "/api/flows/sort/runs", "{\"id\": \"%s\"}".formatted(id)))
        .at("/id");
  }

  private static void awaitEnd(ServerProcess server, String run) throws Exception {
    for (String status = ""; !status.equals("succeeded"); ) {
      status = server.get(server.token(), "/api/runs/" + run).at("/status");
      assertThat(status).isNotEqualTo("failed").isNotEqualTo("review");
      LockSupport.parkNanos(1_000_000);
    }
  }
}
