package dev.hapax.trial.recording;

import dev.hapax.flows.connection.AnswerLost;
import dev.hapax.flows.connection.Connection;
import dev.hapax.flows.connection.HttpAnswer;
import dev.hapax.flows.connection.HttpRequest;
import dev.hapax.flows.connection.LargeBodies;
import dev.hapax.flows.connection.OutgoingRequest;
import dev.hapax.flows.connection.Redaction;
import dev.hapax.flows.connection.WayOut;
import dev.hapax.time.Clock;
import dev.hapax.trial.sandbox.RequestOrigin;
import dev.hapax.trial.sandbox.TrialSandbox;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Writes down what destinations really answer, without secrets. The first answer to a request
 * replaces those of an earlier session, the next ones follow it. A recording that fails never
 * disturbs the step. Safe for many threads.
 */
public final class Recorder {
  private final Recordings recordings;
  private final Redaction redaction;
  private final Clock clock;
  private final Consumer<String> notes;
  private final Set<String> seen = new HashSet<>(); // guarded by this

  /**
   * Creates a session.
   *
   * @param redaction of everything that leaves through the same way out
   * @param notes hears what was recorded, and what could not be
   */
  public Recorder(Recordings recordings, Redaction redaction, Clock clock, Consumer<String> notes) {
    this.recordings = recordings;
    this.redaction = redaction;
    this.clock = clock;
    this.notes = notes;
  }

  /** Sends a request once over the network, and writes its answer down. */
  public HttpAnswer http(
      WayOut network,
      Connection.@Nullable Http connection,
      HttpRequest request,
      Map<String, String> more,
      Duration timeout,
      @Nullable LargeBodies keeper)
      throws AnswerLost {
    RequestOrigin from = TrialSandbox.origin();
    String url = OutgoingRequest.of(connection, request, more).url();
    var size = new AtomicLong(-1);
    HttpAnswer answer;
    try {
      answer =
          network.http(
              connection, request, more, timeout, keeper == null ? null : counted(keeper, size));
    } catch (AnswerLost e) {
      notes.accept(
          "not recorded: %s %s of '%s' got no answer"
              .formatted(request.method(), pathOf(url), from.step()));
      throw e;
    }
    if (from.role() != RequestOrigin.Role.LOOKUP) {
      long bytes = size.get() < 0 ? answer.body().length : size.get();
      record(
          request.connection(),
          from,
          new RecordedRequest.Sent(request.method(), url, request.body(), from.wireKey()),
          RecordedAnswer.of(answer, bytes, redaction, clock.now()));
    }
    return answer;
  }

  private String pathOf(String url) {
    return redaction.redact(RecordedRequest.of(new RecordedRequest.Sent("", url, null, "")).path());
  }

  private static LargeBodies counted(LargeBodies keeper, AtomicLong size) {
    return new LargeBodies() {
      @Override
      public int largestValue() {
        return keeper.largestValue();
      }

      @Override
      public Object keep(InputStream body, String contentType) throws IOException {
        size.set(0);
        return keeper.keep(new Counted(body, size), contentType);
      }
    };
  }

  /** Counts the bytes that are read. */
  private static final class Counted extends FilterInputStream {
    private final AtomicLong size;

    Counted(InputStream in, AtomicLong size) {
      super(in);
      this.size = size;
    }

    @Override
    public int read() throws IOException {
      int one = super.read();
      if (one >= 0) {
        size.incrementAndGet();
      }
      return one;
    }

    @Override
    public int read(byte[] into, int from, int most) throws IOException {
      int count = super.read(into, from, most);
      if (count > 0) {
        size.addAndGet(count);
      }
      return count;
    }
  }

  private synchronized void record(
      @Nullable String connection,
      RequestOrigin from,
      RecordedRequest.Sent sent,
      RecordedAnswer answer) {
    Path file = recordings.fileOf(connection, sent.url());
    RecordedRequest request = clean(RecordedRequest.of(sent));
    try {
      RecordingFile before = recordings.read(file);
      RecordingFile now =
          before == null
              ? new RecordingFile(Recordings.destination(connection, sent.url()), List.of())
              : before;
      String step = from.step().isEmpty() ? null : from.flow() + "/" + from.step();
      String one = file + "\n" + request.fingerprint();
      RecordingFile after = now.with(step, request, answer, !seen.contains(one));
      if (after == null) {
        notes.accept(notRecorded(request, recordings.shown(file) + " is full"));
        return;
      }
      recordings.write(file, after);
      seen.add(one);
      notes.accept(
          "recorded %s of '%s': %d, in %s"
              .formatted(request.shown(), from.step(), answer.status(), recordings.shown(file)));
    } catch (IOException | RuntimeException e) { // the step has its answer all the same
      notes.accept(notRecorded(request, String.valueOf(e.getMessage())));
    }
  }

  private static String notRecorded(RecordedRequest request, String why) {
    return "not recorded: %s: %s. Remove the file, or parts of it, to record again"
        .formatted(request.shown(), why);
  }

  private RecordedRequest clean(RecordedRequest request) {
    return request.with(
        redaction.redact(request.path()),
        request.query() == null ? null : redaction.redact(request.query()),
        redaction.redact(request.body()));
  }
}
