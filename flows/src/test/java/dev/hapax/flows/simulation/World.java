package dev.hapax.flows.simulation;

import dev.hapax.flow.DestinationDatabase;
import dev.hapax.flow.NotApplied;
import dev.hapax.flow.Rejected;
import dev.hapax.flow.SqlDatabase;
import dev.hapax.flows.connection.Egress;
import dev.hapax.json.Json;
import dev.hapax.testkit.simulation.Course;
import dev.hapax.testkit.simulation.Fault;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The systems that generated files send to, and the wire between: real requests of the real client,
 * on sockets that lead nowhere but here. It loses requests and answers, and writes down what it
 * did.
 */
final class World implements Egress.Dialer {
  static final int MAIL_PORT = 25;

  /** So that nothing runs out of attempts: what it does then is tested elsewhere. */
  private static final int MOST_FAULTS_IN_A_ROW = 3;

  private final Course course;
  private final List<String> done = new ArrayList<>();
  private final Map<String, String> byKey = new HashMap<>();
  private final Map<String, String> markers = new HashMap<>();
  private final Map<String, Integer> faults = new HashMap<>();
  private final Map<String, String> tokens = new LinkedHashMap<>();
  private final Set<String> links = new LinkedHashSet<>();
  private final Map<String, String> published = new LinkedHashMap<>();
  private final Map<String, String> carried = new HashMap<>();
  private final Map<String, String> fences = new LinkedHashMap<>();
  private final HeardPeople people = new HeardPeople();
  private boolean isRepaired;

  World(Course course) {
    this.course = course;
  }

  /** The labels of what was done, in order. */
  List<String> done() {
    return done;
  }

  /** The links to approvals that have arrived. */
  Set<String> links() {
    return links;
  }

  /** Tokens that were handed out, each with the label of the request that brought it. */
  Map<String, String> tokens() {
    return tokens;
  }

  /** The messages to people. */
  HeardPeople people() {
    return people;
  }

  /** The labels of messages, by their id. */
  Map<String, String> published() {
    return published;
  }

  /** The hostile values that came, by the label of what brought them; the last one counts. */
  Map<String, String> carried() {
    return carried;
  }

  /** The fences of what was done under a lock, by its label, in order. */
  Map<String, String> fences() {
    return fences;
  }

  private void carry(String label, @Nullable Object content) {
    if (content instanceof Map<?, ?> map && map.containsKey("hostile")) {
      carried.put(label, HostileValues.canonical(map.get("hostile")));
    }
  }

  /** From now on nothing is refused. */
  void repair() {
    isRepaired = true;
  }

  private record Request(
      String method, String path, Map<String, String> headers, @Nullable Object body) {
    String text(String field) {
      return body instanceof Map<?, ?> map && map.get(field) != null
          ? String.valueOf(map.get(field))
          : "";
    }
  }

  private record Answer(int status, Object body) {}

  // ---- what the systems do

  /** A handler in Java, which is as unreliable as the rest. */
  Object handle(@Nullable Object input, String key) throws Exception {
    var request = new Request("POST", "/keyed", Map.of("idempotency-key", key), input);
    connect(key);
    Answer answer = exchange(request);
    if (answer.status == 400) {
      throw new Rejected("refused", "not this one");
    }
    if (answer.status == 429) {
      throw new NotApplied("not now");
    }
    if (answer.status >= 500) {
      throw new IOException("HTTP " + answer.status);
    }
    return answer.body;
  }

  /** A transaction in a database, with a marker row: both are there, or neither. */
  String commit(String marker, DestinationDatabase.Work<SqlDatabase.Session> work)
      throws Exception {
    try {
      connect(marker);
    } catch (ConnectException e) {
      throw new NotApplied("no connection to the database", e);
    }
    List<String> written = new ArrayList<>();
    String result = markers.get(marker);
    if (result == null) {
      result = work.in((_, params) -> write(params, written));
    }
    pass(marker);
    if (strikes(Fault.REQUEST_LOST, marker)) {
      throw new IOException("connection reset before the commit");
    }
    String known = markers.putIfAbsent(marker, result);
    if (known == null) {
      written.forEach(this::doIt);
    }
    pass(marker);
    if (strikes(Fault.ANSWER_LOST, marker)) {
      throw new SocketTimeoutException("no answer to the commit");
    }
    return known == null ? result : known;
  }

  private SqlDatabase.Result write(
      Map<String, ? extends @Nullable Object> params, List<String> written) {
    if (Boolean.TRUE.equals(params.get("rejected")) && !isRepaired) {
      throw new Rejected("constraint", "not this one");
    }
    written.add(String.valueOf(params.get("label")));
    return new SqlDatabase.Result(List.of(), 1);
  }

  private Answer exchange(Request request) throws IOException {
    String id = request.headers.get("webhook-id");
    String label = id == null ? request.text("label") : id;
    pass(request.path);
    if (strikes(Fault.REQUEST_LOST, label)) {
      throw new IOException("connection reset");
    }
    if (strikes(Fault.REQUEST_REJECTED, label)) {
      return new Answer(429, Map.of()); // not now
    }
    Answer answer = answer(request, label);
    pass(request.path);
    if (strikes(Fault.ANSWER_LOST, label)) {
      throw new SocketTimeoutException("read timed out");
    }
    return strikes(Fault.ERROR_AFTER_APPLYING, label) ? new Answer(500, Map.of()) : answer;
  }

  private Answer answer(Request request, String label) {
    if (request.text("rejected").equals("true") && !isRepaired) {
      return new Answer(400, Map.of("error", "not this one"));
    }
    switch (request.method + " " + request.path) {
      case "GET /read", "GET /there" -> {}
      case "GET /lookup" -> {
        if (!done.contains(label)) {
          return new Answer(404, Map.of());
        }
      }
      case "POST /keyed" -> {
        String key = Objects.requireNonNull(request.headers.get("idempotency-key"), label);
        if (byKey.putIfAbsent(key, label) == null) {
          doIt(label);
          if (!request.text("fence").isEmpty()) {
            fences.put(label, request.text("fence"));
          }
        } else if (!label.equals(byKey.get(key))) {
          doIt("other content under the key of " + byKey.get(key) + ": " + label);
        }
        if (!request.text("link").isEmpty()) {
          links.add(request.text("link"));
        }
        if (!request.text("token").isEmpty()) {
          tokens.putIfAbsent(request.text("token"), label);
        }
      }
      case "POST /publish" -> {
        Object data = request.body instanceof Map<?, ?> message ? message.get("data") : null;
        Object told = data instanceof Map<?, ?> map ? map.get("label") : null;
        published.put(
            Objects.requireNonNull(request.headers.get("webhook-id")), String.valueOf(told));
        carry(String.valueOf(told), data);
      }
      case "POST /pager" -> people.hear(label, request.body);
      default -> doIt(label);
    }
    carry(label, request.body);
    return new Answer(200, echo(request, label));
  }

  /** What came goes back, so that the journal has it, too. */
  private static Map<String, @Nullable Object> echo(Request request, String label) {
    var echo = new LinkedHashMap<String, @Nullable Object>();
    echo.put("label", label);
    if (request.body instanceof Map<?, ?> map && map.containsKey("hostile")) {
      echo.put("hostile", map.get("hostile"));
    }
    return echo;
  }

  private void doIt(String label) {
    course.say(() -> "done: " + label);
    done.add(label);
  }

  private void pass(String what) throws IOException {
    course.checkAlive();
    if (course.sleep(Duration.ofMillis(1L + course.choices().below(30)))) {
      throw new InterruptedIOException("interrupted in " + what);
    }
  }

  private boolean strikes(Fault fault, String what) {
    if (faults.getOrDefault(what, 0) >= MOST_FAULTS_IN_A_ROW || !course.strikes(fault)) {
      return false;
    }
    faults.merge(what, 1, Integer::sum);
    course.say(() -> fault + " meets " + what);
    return true;
  }

  // ---- the wire

  @Override
  public Socket dial(InetSocketAddress address, Duration timeout) throws IOException {
    connect("dialing");
    return address.getPort() == MAIL_PORT ? new MailWire() : new Wire();
  }

  private void connect(String what) throws IOException {
    course.checkAlive();
    if (strikes(Fault.REQUEST_REFUSED, what)) {
      throw new ConnectException("connection refused");
    }
    faults.remove("dialing");
  }

  /** A web server: what was written until it is read from is the request. */
  private final class Wire extends ScriptedSocket {
    private @Nullable InputStream answer;

    @Override
    InputStream answered() throws IOException {
      InputStream known = answer;
      if (known == null) {
        known = new ByteArrayInputStream(bytes(exchange(request(written.toByteArray()))));
        answer = known;
      }
      return known;
    }
  }

  /** A mail server: it answers each line, and the mail as a whole. */
  private final class MailWire extends ScriptedSocket {
    private InputStream replies = reply("220 world.test");
    private boolean isMail;
    private boolean isRefused;

    @Override
    InputStream answered() throws IOException {
      if (replies.available() == 0) {
        String said = written.toString(StandardCharsets.UTF_8);
        written.reset();
        replies = reply(isMail ? deliver(said) : answer(said));
      }
      return replies;
    }

    private String answer(String line) {
      isRefused |= line.startsWith("RCPT TO:<nobody@") && !isRepaired;
      isMail = line.startsWith("DATA");
      return isRefused ? "550 nobody here" : isMail ? "354 go on" : "250 well";
    }

    private String deliver(String mail) throws IOException {
      isMail = false;
      String subject =
          mail.lines()
              .filter(line -> line.startsWith("Subject: "))
              .map(line -> line.substring("Subject: ".length()))
              .findFirst()
              .orElseThrow();
      Answer answer = exchange(new Request("MAIL", "/mail", Map.of(), Map.of("label", subject)));
      return switch (answer.status) {
        case 200 -> "250 taken";
        case 429 -> "451 not now";
        default -> throw new IOException("connection reset");
      };
    }

    private static InputStream reply(String line) {
      return new ByteArrayInputStream((line + "\r\n").getBytes(StandardCharsets.UTF_8));
    }
  }

  private static Request request(byte[] written) {
    String text = new String(written, StandardCharsets.UTF_8);
    int end = text.indexOf("\r\n\r\n");
    String[] lines = text.substring(0, end).split("\r\n", -1);
    String[] start = lines[0].split(" ", -1);
    var headers = new HashMap<String, String>();
    for (int i = 1; i < lines.length; i++) {
      int colon = lines[i].indexOf(':');
      headers.put(
          lines[i].substring(0, colon).toLowerCase(Locale.ROOT),
          lines[i].substring(colon + 1).strip());
    }
    String[] target = start[1].split("\\?", 2);
    String content = text.substring(end + 4);
    Object body =
        content.isEmpty()
            ? Map.of(
                "label",
                target.length < 2
                    ? ""
                    : URLDecoder.decode(
                        target[1].substring("label=".length()), StandardCharsets.UTF_8))
            : Json.read(content, Object.class);
    return new Request(start[0], target[0], headers, body);
  }

  private static byte[] bytes(Answer answer) {
    byte[] body = Json.write(answer.body).getBytes(StandardCharsets.UTF_8);
    String head =
        "HTTP/1.1 %d -\r\nContent-Type: application/json\r\nContent-Length: %d\r\nConnection: close\r\n\r\n"
            .formatted(answer.status, body.length);
    var all = new ByteArrayOutputStream();
    all.writeBytes(head.getBytes(StandardCharsets.UTF_8));
    all.writeBytes(body);
    return all.toByteArray();
  }
}
