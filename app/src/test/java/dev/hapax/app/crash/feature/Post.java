package dev.hapax.app.crash.feature;

import dev.hapax.app.crash.CrashPoint;
import dev.hapax.flow.Effect;
import dev.hapax.flow.NotApplied;
import dev.hapax.flow.RetryPolicy;
import dev.hapax.flow.RunContext;
import dev.hapax.testkit.fault.SinkClient;
import dev.hapax.testkit.fault.SinkClient.Stage;
import dev.hapax.testkit.fault.SinkRequest;
import dev.hapax.testkit.fault.SinkRequest.Mode;
import java.io.IOException;
import java.net.ConnectException;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;

/**
 * The way to the sink. Each request carries the name of the step and the business key, so that the
 * oracle finds the effect that it belongs to; words behind these two are content.
 */
final class Post {
  /** Many and quick: what decides about a repeat is the guard, and a test should not wait. */
  static final RetryPolicy PATIENT =
      new RetryPolicy(
          10_000, Duration.ofSeconds(10), 1.2, Duration.ofSeconds(40), 0.2, Duration.ofDays(1000));

  /** Longer than any test, and longer than the sink ever delays. */
  static final Duration AGES = Duration.ofDays(1000);

  static final Duration TIMEOUT = Duration.ofHours(1);
  static final Duration SETTLE = Duration.ofMinutes(1);
  static final Duration LOOKUP_TIMEOUT = Duration.ofMinutes(4);

  private final int port;
  private final CrashPoint crash;

  Post(int port, CrashPoint crash) {
    this.port = port;
    this.crash = crash;
  }

  /** The instants of a request, as names of crash points. */
  static String point(String what, Stage stage) {
    return what + "." + stage.name().toLowerCase(Locale.ROOT);
  }

  /** A guarded effect that carries nothing but its key. */
  void once(RunContext run, String step, String key) {
    once(run, step, key, "");
  }

  /** A guarded effect with content. */
  void once(RunContext run, String step, String key, String content) {
    run.effect(
        step,
        Effect.create(key).request(content).keyed(AGES).timeout(TIMEOUT).retry(PATIENT),
        (wireKey, request) -> {
          send(Mode.KEYED, "request", (step + " " + key + " " + request).strip(), wireKey);
        });
  }

  /**
   * Sends once.
   *
   * @param what names the crash points on the way
   */
  String send(Mode mode, String what, String key, String wireKey) throws IOException {
    var client = new SinkClient(port, stage -> crash.pass(point(what, stage)));
    try {
      return client.send(new SinkRequest(mode, key, wireKey, key));
    } catch (ConnectException | SinkClient.Refused e) {
      throw new NotApplied(String.valueOf(e.getMessage()), e);
    }
  }

  Optional<String> find(String key) throws IOException {
    return new SinkClient(port, _ -> {}).find(key);
  }
}
