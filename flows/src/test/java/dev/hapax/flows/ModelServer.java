package dev.hapax.flows;

import dev.hapax.flows.connection.Connection;
import dev.hapax.flows.connection.ModelDialect;
import dev.hapax.flows.connection.ModelPrices;
import dev.hapax.json.Json;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.math.BigDecimal;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A provider of models on 127.0.0.1 that speaks both dialects over real sockets, and misbehaves as
 * the test says. It refuses what the providers refuse ({@link ModelRules}), and counts what it
 * would charge for.
 */
final class ModelServer implements AutoCloseable {
  /** Every question costs these. */
  static final int INPUT = 20;

  static final int OUTPUT = 5;

  static final ModelPrices PRICES =
      new ModelPrices(
          Map.of(
              "small*",
              new ModelPrices.Price(
                  new BigDecimal("1"), new BigDecimal("0.1"), new BigDecimal("10"))));

  /** The price of one answer: 20 input and 5 output tokens. */
  static final BigDecimal PRICE = new BigDecimal("0.00007");

  private final ServerSocket server;
  private final Deque<Behaviour> script = new ArrayDeque<>(); // guarded by itself
  private final List<Question> questions = new ArrayList<>(); // guarded by itself
  private final Behaviour usual;

  /** A question that arrived. */
  record Question(String path, Map<String, String> headers, String text) {
    Map<?, ?> body() {
      return (Map<?, ?>) Objects.requireNonNull(Json.read(text, Object.class));
    }

    boolean isAnthropic() {
      return path.endsWith("/messages");
    }

    List<?> messages() {
      return (List<?>) Objects.requireNonNull(body().get("messages"));
    }
  }

  /** Answers, or does not. */
  @FunctionalInterface
  interface Behaviour {
    void answer(Question question, OutputStream out) throws Exception;
  }

  ModelServer(Behaviour usual) throws IOException {
    this.usual = usual;
    this.server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    Thread.ofVirtual().start(this::accept);
  }

  /** The next questions are answered in these ways, and the ones after them as usual. */
  ModelServer then(Behaviour... next) {
    synchronized (script) {
      script.addAll(List.of(next));
    }
    return this;
  }

  List<Question> questions() {
    synchronized (questions) {
      return List.copyOf(questions);
    }
  }

  Connection.Model connection(ModelDialect dialect) {
    String base = "http://127.0.0.1:" + server.getLocalPort();
    return Connection.Model.of(
            "model", dialect, dialect == ModelDialect.OPENAI ? base + "/v1" : base)
        .privateHosts("127.0.0.1")
        .prices(PRICES, null);
  }

  private void accept() {
    while (!server.isClosed()) {
      try {
        Socket socket = server.accept();
        Thread.ofVirtual().start(() -> serve(socket));
      } catch (IOException e) {
        return; // the test is over
      }
    }
  }

  private void serve(Socket socket) {
    try (socket) {
      var in = new BufferedInputStream(socket.getInputStream());
      Question question = read(in);
      String refusal = ModelRules.refusal(question);
      if (refusal != null) {
        synchronized (questions) {
          questions.add(question);
        }
        refuses(refusal).answer(question, socket.getOutputStream());
        return;
      }
      Behaviour behaviour;
      synchronized (script) {
        behaviour = script.isEmpty() ? usual : script.removeFirst();
      }
      synchronized (questions) {
        questions.add(question);
      }
      behaviour.answer(question, socket.getOutputStream());
    } catch (Exception e) {
      // the other side has gone, or the test wants it so
    }
  }

  private static Question read(InputStream in) throws IOException {
    String path = line(in).replaceAll("^\\S+ (\\S+) .*$", "$1");
    var headers = new HashMap<String, String>();
    for (String line = line(in); !line.isEmpty(); line = line(in)) {
      int colon = line.indexOf(':');
      headers.put(
          line.substring(0, colon).toLowerCase(Locale.ROOT), line.substring(colon + 1).strip());
    }
    byte[] body = in.readNBytes(Integer.parseInt(headers.getOrDefault("content-length", "0")));
    return new Question(path, headers, new String(body, StandardCharsets.UTF_8));
  }

  private static String line(InputStream in) throws IOException {
    var line = new StringBuilder();
    for (int next = in.read(); next != '\n'; next = in.read()) {
      if (next < 0) {
        throw new IOException("closed");
      }
      line.append((char) next);
    }
    return line.toString().strip();
  }

  @Override
  public void close() throws IOException {
    server.close();
  }

  // ---- behaviours

  /** Streams this text, whole. */
  static Behaviour says(String text) {
    return (question, out) -> stream(question, out, text, "stop", true);
  }

  /** Streams this text and then stops in this way of the dialect. */
  static Behaviour stops(String text, String openAi, String anthropic) {
    return (question, out) ->
        stream(question, out, text, question.isAnthropic() ? anthropic : openAi, true);
  }

  /** Streams the beginning of an answer and closes the connection. */
  static Behaviour saysHalf(String text) {
    return (question, out) -> stream(question, out, text, null, false);
  }

  /** Answers nothing, and waits until the other side gives up. */
  static Behaviour silent() {
    return (_, _) -> Thread.sleep(60_000);
  }

  static Behaviour fails(int status, String... headers) {
    return fails(status, "not today", headers);
  }

  private static Behaviour refuses(String why) {
    return fails(400, why, new String[0]);
  }

  private static Behaviour fails(int status, String why, String[] headers) {
    return (_, out) -> {
      String more = headers.length == 0 ? "" : String.join("\r\n", headers) + "\r\n";
      String body = Json.write(Map.of("error", Map.of("message", why)));
      write(
          out,
          "HTTP/1.1 %d no\r\nConnection: close\r\nContent-Type: application/json\r\n%sContent-Length: %d\r\n\r\n%s"
              .formatted(status, more, body.length(), body));
    };
  }

  /** Streams an answer that never ends. */
  static Behaviour endless() {
    return (question, out) -> {
      head(out);
      start(question, out);
      while (true) {
        piece(question, out, "more and ".repeat(100));
      }
    };
  }

  /** Streams one line without an end. */
  static Behaviour hugeLine() {
    return (_, out) -> {
      head(out);
      String part = "x".repeat(64 << 10);
      write(out, chunk("data: "));
      for (int i = 0; i < 16 << 10; i++) {
        write(out, chunk(part));
      }
    };
  }

  /** Repeats its headers, with the same and with other values. */
  static Behaviour repeatedHeaders(String text) {
    return (question, out) -> {
      write(
          out,
          lines(
              """
              HTTP/1.1 200 OK
              Connection: close
              Content-Type: text/event-stream
              Content-Type: text/event-stream
              X-A: 1
              X-A: 2
              Transfer-Encoding: chunked

              """));
      body(question, out, text, "stop");
      write(out, "0\r\n\r\n");
    };
  }

  /** Answers at once, without a stream. */
  static Behaviour saysAtOnce(String text) {
    return (question, out) -> {
      Object body =
          question.isAnthropic()
              ? Map.of(
                  "type",
                  "message",
                  "model",
                  "small-1",
                  "content",
                  List.of(Map.of("type", "text", "text", text)),
                  "stop_reason",
                  "end_turn",
                  "usage",
                  Map.of("input_tokens", INPUT, "output_tokens", OUTPUT))
              : Map.of(
                  "model",
                  "small-1",
                  "choices",
                  List.of(
                      Map.of(
                          "index",
                          0,
                          "message",
                          Map.of("role", "assistant", "content", text),
                          "finish_reason",
                          "stop")),
                  "usage",
                  Map.of("prompt_tokens", INPUT, "completion_tokens", OUTPUT));
      byte[] bytes = Json.write(body).getBytes(StandardCharsets.UTF_8);
      whole(out, bytes.length);
      out.write(bytes);
    };
  }

  /** Answers at once, with these tokens as JSON. */
  static Behaviour counts(String input, String output) {
    return (question, out) -> {
      String body =
          (question.isAnthropic()
                  ? """
                    {"type": "message", "model": "small-1", "content": [{"type": "text", "text": "hi"}],
                     "stop_reason": "end_turn", "usage": {"input_tokens": %s, "output_tokens": %s}}
                    """
                  : """
                    {"model": "small-1", "choices": [{"index": 0, "finish_reason": "stop",
                     "message": {"role": "assistant", "content": "hi"}}],
                     "usage": {"prompt_tokens": %s, "completion_tokens": %s}}
                    """)
              .formatted(input, output);
      whole(out, body.length());
      write(out, body);
    };
  }

  /** Answers at once, with a text of a gigabyte. */
  static Behaviour gigabyte() {
    return (_, out) -> {
      whole(out, 1L << 30);
      write(out, "{\"choices\": [{\"index\": 0, \"message\": {\"content\": \"");
      byte[] part = "x".repeat(1 << 20).getBytes(StandardCharsets.US_ASCII);
      for (int i = 0; i < 1 << 10; i++) {
        out.write(part);
      }
    };
  }

  private static void whole(OutputStream out, long length) throws IOException {
    write(
        out,
        "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n"
            .formatted(length));
  }

  /** Wants to use a tool. */
  static Behaviour calls(String tool, String input) {
    return (question, out) -> {
      head(out);
      start(question, out);
      if (question.isAnthropic()) {
        event(
            out,
            Map.of(
                "type",
                "content_block_start",
                "index",
                1,
                "content_block",
                Map.of("type", "tool_use", "id", "call-1", "name", tool, "input", Map.of())));
        for (String part : halves(input)) {
          event(
              out,
              Map.of(
                  "type",
                  "content_block_delta",
                  "index",
                  1,
                  "delta",
                  Map.of("type", "input_json_delta", "partial_json", part)));
        }
        end(question, out, "tool_use");
      } else {
        delta(
            out,
            Map.of(
                "tool_calls",
                List.of(
                    Map.of(
                        "index",
                        0,
                        "id",
                        "call-1",
                        "type",
                        "function",
                        "function",
                        Map.of("name", tool, "arguments", "")))),
            null);
        for (String part : halves(input)) {
          delta(
              out,
              Map.of(
                  "tool_calls", List.of(Map.of("index", 0, "function", Map.of("arguments", part)))),
              null);
        }
        end(question, out, "tool_calls");
      }
      write(out, "0\r\n\r\n");
    };
  }

  private static List<String> halves(String text) {
    int middle = text.length() / 2;
    return List.of(text.substring(0, middle), text.substring(middle));
  }

  // ---- streams

  private static void stream(
      Question question, OutputStream out, String text, @Nullable String stop, boolean isWhole)
      throws IOException {
    head(out);
    body(question, out, text, stop);
    if (isWhole) {
      write(out, "0\r\n\r\n");
    }
  }

  private static void head(OutputStream out) throws IOException {
    write(
        out,
        lines(
            """
            HTTP/1.1 200 OK
            Connection: close
            Content-Type: text/event-stream
            Transfer-Encoding: chunked

            """));
  }

  private static String lines(String text) {
    return text.replace("\n", "\r\n");
  }

  private static void body(Question question, OutputStream out, String text, @Nullable String stop)
      throws IOException {
    start(question, out);
    for (String part : halves(text)) {
      piece(question, out, part);
    }
    if (stop != null) {
      end(question, out, stop);
    }
  }

  private static void start(Question question, OutputStream out) throws IOException {
    if (question.isAnthropic()) {
      event(
          out,
          Map.of(
              "type",
              "message_start",
              "message",
              Map.of(
                  "model", "small-1", "usage", Map.of("input_tokens", INPUT, "output_tokens", 1))));
      event(
          out,
          Map.of(
              "type",
              "content_block_start",
              "index",
              0,
              "content_block",
              Map.of("type", "text", "text", "")));
      write(out, chunk("event: ping\ndata: {\"type\": \"ping\"}\n\n"));
    } else {
      delta(out, Map.of("role", "assistant", "content", ""), null);
    }
  }

  private static void piece(Question question, OutputStream out, String text) throws IOException {
    if (question.isAnthropic()) {
      event(
          out,
          Map.of(
              "type",
              "content_block_delta",
              "index",
              0,
              "delta",
              Map.of("type", "text_delta", "text", text)));
    } else {
      delta(out, Map.of("content", text), null);
    }
  }

  private static void end(Question question, OutputStream out, String stop) throws IOException {
    if (question.isAnthropic()) {
      String reason = stop.equals("stop") ? "end_turn" : stop;
      event(
          out,
          Map.of(
              "type",
              "message_delta",
              "delta",
              Map.of("stop_reason", reason),
              "usage",
              Map.of("output_tokens", OUTPUT)));
      event(out, Map.of("type", "message_stop"));
      return;
    }
    delta(out, Map.of(), stop);
    write(
        out,
        chunk(
            "data: "
                + Json.write(
                    Map.of(
                        "choices",
                        List.of(),
                        "usage",
                        Map.of("prompt_tokens", INPUT, "completion_tokens", OUTPUT)))
                + "\n\n"));
    write(out, chunk("data: [DONE]\n\n"));
  }

  private static void delta(OutputStream out, Map<?, ?> delta, @Nullable String stop)
      throws IOException {
    var choice = new HashMap<String, @Nullable Object>();
    choice.put("index", 0);
    choice.put("delta", delta);
    choice.put("finish_reason", stop);
    write(
        out,
        chunk(
            "data: "
                + Json.write(Map.of("model", "small-1", "choices", List.of(choice)))
                + "\n\n"));
  }

  private static void event(OutputStream out, Map<?, ?> data) throws IOException {
    write(out, chunk("event: %s\ndata: %s\n\n".formatted(data.get("type"), Json.write(data))));
  }

  private static String chunk(String text) {
    return "%x\r\n%s\r\n".formatted(text.getBytes(StandardCharsets.UTF_8).length, text);
  }

  private static void write(OutputStream out, String text) throws IOException {
    out.write(text.getBytes(StandardCharsets.UTF_8));
    out.flush();
  }
}
