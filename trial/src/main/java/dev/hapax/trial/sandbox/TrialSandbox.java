package dev.hapax.trial.sandbox;

import dev.hapax.flow.Interceptor;
import dev.hapax.flow.NotApplied;
import dev.hapax.flow.Rejected;
import dev.hapax.flow.SqlDatabase;
import dev.hapax.flows.connection.AnswerLost;
import dev.hapax.flows.connection.BrokerMessage;
import dev.hapax.flows.connection.Connection;
import dev.hapax.flows.connection.CredentialHeaders;
import dev.hapax.flows.connection.HttpAnswer;
import dev.hapax.flows.connection.HttpRequest;
import dev.hapax.flows.connection.Idempotency;
import dev.hapax.flows.connection.LargeBodies;
import dev.hapax.flows.connection.Mail;
import dev.hapax.flows.connection.Mailer;
import dev.hapax.flows.connection.OutgoingRequest;
import dev.hapax.flows.connection.RemoteAnswer;
import dev.hapax.flows.connection.RemoteOrder;
import dev.hapax.flows.connection.Secrets;
import dev.hapax.flows.connection.TrialReport;
import dev.hapax.flows.connection.TrialStage;
import dev.hapax.flows.connection.WayOut;
import dev.hapax.flows.file.FlowFile;
import dev.hapax.flows.step.Handler;
import dev.hapax.json.Json;
import dev.hapax.json.NotSerializable;
import dev.hapax.json.ValueBudget;
import dev.hapax.time.Clock;
import dev.hapax.trial.sandbox.RequestOrigin.Role;
import dev.hapax.trial.sandbox.SandboxRequest.Way;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * All destinations of a trial, in this process: it answers as a book says, opens no socket, and
 * knows what was really done. It removes duplicates only as the destination declares: by the key of
 * the connection's {@code idempotency} within its window, by the state that a PUT, PATCH or DELETE
 * leads to, by the marker of a transaction, by the token of a job.
 *
 * <p>Give it to the flow files as their way out, and to the engine as its interceptor, which tells
 * it the step that a request comes from. Safe for many threads.
 */
public final class TrialSandbox implements WayOut, Interceptor {
  private static final Set<String> STATES = Set.of("PUT", "PATCH", "DELETE");
  private static final Set<String> READS = Set.of("GET", "HEAD");
  private static final Duration ALWAYS = Duration.ofDays(36_500);
  private static final ScopedValue<RequestOrigin> ORIGIN = ScopedValue.newInstance();

  private final Clock clock;
  private final Exchanges exchanges;
  private final UsualAnswers usual;
  private volatile Function<String, @Nullable Object> inputs = _ -> null;
  private volatile Function<String, RequestOrigin.@Nullable Publisher> publishers = _ -> null;

  /**
   * Creates an empty world.
   *
   * @param files the flow of a name; null if there is none
   */
  public TrialSandbox(Clock clock, Function<String, @Nullable FlowFile> files, AnswerBook answers) {
    this.clock = clock;
    this.exchanges = new Exchanges(clock, answers);
    this.usual = new UsualAnswers(files, run -> inputs.apply(run));
  }

  /** Says how to find the input of a run, which the expressions of lookups may read. */
  public void inputs(Function<String, @Nullable Object> byRun) {
    inputs = byRun;
  }

  /** Says how to find the step that published a message, by the message's id. */
  public void publishers(Function<String, RequestOrigin.@Nullable Publisher> byMessage) {
    publishers = byMessage;
  }

  /** Sets what sees every request at the edge of the process. */
  public void onSend(SendWatch watch) {
    exchanges.watch(watch);
  }

  // ---- what happened

  /** Returns everything that left, in order, reads and lookups too. */
  public List<SandboxRequest> requests() {
    return exchanges.requests();
  }

  /** Returns the requests that changed something, in the order of the changes. */
  public List<SandboxRequest> applied() {
    return exchanges.applied();
  }

  /** Returns what the destinations know of each effect, in the order of the first requests. */
  public List<EffectTruth> truth() {
    return exchanges.truth();
  }

  /** Lets everything arrive that is still on its way. */
  public void arriveAll() {
    exchanges.arriveAll();
  }

  /** Whether a request with this key was done, as a person would find out who looks there. */
  public boolean isApplied(String wireKey) {
    return exchanges.contentOf(wireKey) != null;
  }

  /** Returns the output of the step whose request with this key was done; null if none was. */
  public @Nullable Object outputOf(String wireKey) {
    Content content = exchanges.contentOf(wireKey);
    if (content == null) {
      return null;
    }
    return exchanges.requests().stream()
        .filter(request -> request.from().wireKey().equals(wireKey))
        .findFirst()
        .map(
            request ->
                switch (request.way()) {
                  case HTTP -> content.response();
                  case MAIL, DATABASE, CALL, SSH, MESSAGE -> content.body();
                })
        .orElse(null);
  }

  // ---- the engine's side

  @Override
  public String send(Sending sending, Answering sender) throws Exception {
    return ScopedValue.where(ORIGIN, published(RequestOrigin.of(sending))).call(sender::send);
  }

  private RequestOrigin published(RequestOrigin from) {
    RequestOrigin.Publisher by = from.role() == Role.DELIVERY ? publishers.apply(from.key()) : null;
    return by == null ? from : from.by(by);
  }

  @Override
  public <T> T work(Work work, Callable<T> code) throws Exception {
    return ScopedValue.where(ORIGIN, RequestOrigin.of(work)).call(code::call);
  }

  /** Returns the step that this thread sends for. */
  public static RequestOrigin origin() {
    return ORIGIN.orElse(RequestOrigin.UNKNOWN);
  }

  // ---- HTTP

  @Override
  public HttpAnswer http(
      Connection.@Nullable Http connection,
      HttpRequest request,
      Map<String, String> more,
      Duration timeout,
      @Nullable LargeBodies keeper)
      throws AnswerLost {
    var outgoing = OutgoingRequest.of(connection, request, more);
    RequestOrigin from = origin();
    Letter letter = letter(connection, request, outgoing, from);
    Content content;
    try {
      content = exchanges.send(letter, from, timeout, reply(from));
    } catch (AnswerLost e) {
      throw e;
    } catch (IOException e) {
      throw new AnswerLost(String.valueOf(e.getMessage()), e);
    }
    return answer(content, keeper, letter);
  }

  private Exchanges.Reply reply(RequestOrigin from) {
    return from.role() != Role.LOOKUP
        ? usual::http
        : (request, given) ->
            given.hasBody() || given.status() != null
                ? usual.http(request, given)
                : usual.lookup(request, exchanges.contentFor(from));
  }

  private Letter letter(
      Connection.@Nullable Http connection,
      HttpRequest request,
      OutgoingRequest outgoing,
      RequestOrigin from) {
    Idempotency keys = connection == null ? Idempotency.USUAL : connection.idempotency();
    var headers = new LinkedHashMap<>(outgoing.headers());
    headers.keySet().removeIf(CredentialHeaders::contains);
    return new Letter(
        Way.HTTP,
        request.connection(),
        request.method(),
        outgoing.url(),
        headers,
        request.body(),
        sameness(keys, request, outgoing, from),
        keys.replayHeader());
  }

  private Sameness sameness(
      Idempotency keys, HttpRequest request, OutgoingRequest outgoing, RequestOrigin from) {
    if (READS.contains(request.method()) || !from.isEffect()) {
      return new Sameness.Reading();
    }
    String key = keyIn(keys, request, outgoing, from);
    if (key != null) {
      String place = request.connection() == null ? outgoing.url() : request.connection();
      return new Sameness.ByKey(place, key, keys.window(), keys.stores() == Idempotency.Stores.ALL);
    }
    return STATES.contains(request.method())
        ? new Sameness.ByState(outgoing.url(), request.method() + " " + request.body())
        : new Sameness.Never();
  }

  /** Returns the key where the destination looks for it; null if there is none. */
  private @Nullable String keyIn(
      Idempotency keys, HttpRequest request, OutgoingRequest outgoing, RequestOrigin from) {
    String field = keys.bodyField();
    if (field != null) {
      return member(request.body(), field);
    }
    String own = usual.keyHeader(from);
    return outgoing.headers().entrySet().stream()
        .filter(
            header ->
                header.getKey().equalsIgnoreCase(keys.header())
                    || header.getKey().equalsIgnoreCase(own))
        .map(Map.Entry::getValue)
        .findFirst()
        .orElse(null);
  }

  private static @Nullable String member(@Nullable String body, String field) {
    try {
      return body != null
              && Json.read(body, Object.class) instanceof Map<?, ?> map
              && map.get(field) instanceof String key
          ? key
          : null;
    } catch (NotSerializable e) {
      return null;
    }
  }

  /** A large body is kept as the network's way out keeps it. */
  private static HttpAnswer answer(Content content, @Nullable LargeBodies keeper, Letter letter)
      throws AnswerLost {
    byte[] body = content.bytes();
    int largest = keeper == null ? ValueBudget.USUAL : keeper.largestValue(content.status());
    boolean isSuccess = content.status() >= 200 && content.status() < 300;
    if (body.length <= largest) {
      return new HttpAnswer(content.status(), content.allHeaders(), body);
    }
    if (keeper != null && !isSuccess) {
      byte[] start = Arrays.copyOf(body, Math.min(largest, body.length));
      return new HttpAnswer(content.status(), content.allHeaders(), start);
    }
    try {
      if (keeper == null) {
        throw new IOException("the answer has more than %,d bytes".formatted(largest));
      }
      String type = content.allHeaders().getOrDefault("content-type", "application/octet-stream");
      Object kept = keeper.keep(new ByteArrayInputStream(body), type);
      return new HttpAnswer(content.status(), content.allHeaders(), kept);
    } catch (IOException e) {
      throw new AnswerLost(letter.shown() + ": " + e.getMessage(), e);
    }
  }

  // ---- other ways

  @Override
  public String mail(Connection.Smtp smtp, Mail mail, String key, Duration timeout)
      throws IOException {
    String id = "<%s@hapax>".formatted(key);
    var _ = Mailer.content(smtp, mail, id, clock.now()); // refuses what must not be sent
    String to = String.join(", ", mail.to());
    var letter =
        new Letter(
            Way.MAIL,
            smtp.name(),
            "mail",
            to,
            Map.of("Message-ID", id),
            Json.write(mail),
            new Sameness.Never(),
            null);
    Content content =
        exchanges.send(
            letter, origin(), timeout, (_, given) -> plain(given, Map.of("messageId", id)));
    refuse(content, "mail server '%s'".formatted(smtp.name()));
    return id;
  }

  private static Content plain(SandboxAnswer given, Object usual) {
    return new Content(given.status() == null ? 200 : given.status(), Map.of(), usual);
  }

  /** A status of 400 or more refuses: for now below 500, and for good from there on. */
  static void refuse(Content content, String who) {
    if (content.status() >= 500) {
      throw new Rejected("refused", "%s answered %d".formatted(who, content.status()));
    }
    if (content.status() >= 400) {
      throw new NotApplied("%s answered %d".formatted(who, content.status()));
    }
  }

  /** Returns the handler of a {@code call} step. */
  public Handler handler(String name) {
    return (input, key) -> {
      RequestOrigin from = origin();
      boolean isKeyed = from.guard().equals("keyed");
      Sameness sameness =
          !from.isEffect()
              ? new Sameness.Reading()
              : isKeyed ? new Sameness.ByKey(name, key, ALWAYS, false) : new Sameness.Never();
      String body = input == null ? null : Json.write(input);
      Content content =
          exchanges.send(
              Letter.of(Way.CALL, "call", name, body, sameness),
              from,
              ALWAYS,
              (request, given) -> withStatus(usual.value(request, given, Map.of()), given));
      refuse(content, "handler '%s'".formatted(name));
      return content.body();
    };
  }

  private static Content withStatus(Content content, SandboxAnswer given) {
    return given.status() == null
        ? content
        : new Content(given.status(), content.headers(), content.body());
  }

  @Override
  public SqlDatabase database(Connection.Postgres connection, Duration timeout) {
    return new SandboxDatabase(connection.name(), exchanges, usual, TrialSandbox::origin, timeout);
  }

  /**
   * The machine begins a job once per token, as the launcher does. It has ended with exit code 0
   * unless the answer says something else.
   */
  @Override
  public RemoteAnswer remote(
      Connection.Ssh ssh,
      RemoteOrder order,
      Duration timeout,
      LargeBodies keeper,
      BooleanSupplier isToEnd)
      throws IOException {
    return RemoteJobs.answer(ssh, order, origin(), timeout, exchanges, usual);
  }

  /** The broker takes each message that is sent, also a second time. */
  @Override
  public void publish(Connection connection, BrokerMessage message, Duration timeout)
      throws IOException {
    var headers = new LinkedHashMap<>(message.headers());
    headers.put(BrokerMessage.ID, message.id());
    headers.put(BrokerMessage.TYPE, message.type());
    if (message.key() != null) {
      headers.put(BrokerMessage.RESERVED + "key", message.key());
    }
    var letter =
        new Letter(
            Way.MESSAGE,
            connection.name(),
            "publish",
            message.target(),
            headers,
            new String(message.body(), StandardCharsets.UTF_8),
            new Sameness.Never(),
            null);
    Content content =
        exchanges.send(letter, origin(), timeout, (_, given) -> plain(given, Map.of()));
    refuse(content, "broker '%s'".formatted(connection.name()));
  }

  @Override
  public TrialReport test(Connection connection) {
    return new TrialReport(
        connection, List.of(TrialStage.ok("sandbox", "nothing was connected: it is a sandbox")));
  }

  /** Returns secrets that are valid for the sandbox only. */
  public Secrets secrets() {
    return name -> Optional.of("only-for-the-sandbox-" + name);
  }

  @Override
  public void close() {
    // nothing is open
  }
}
