package dev.hapax.app.dev;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.hapax.trial.sandbox.EffectTruth;
import dev.hapax.trial.sandbox.SandboxRequest;
import dev.hapax.trial.sandbox.TrialSandbox;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What went to the sandbox, as JSON.
 *
 * @param requests the newest, in order
 * @param effects how often each was sent and done
 */
record DevRequests(List<One> requests, List<Effect> effects) {
  private static final int MOST = 200;

  /**
   * A request.
   *
   * @param key the one by which the destination removes duplicates; null if it does not
   * @param applied how often the destination did it because of this request
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record One(
      int number,
      Instant at,
      String run,
      String flow,
      String step,
      int attempt,
      String way,
      String method,
      String url,
      @Nullable String key,
      @Nullable String body,
      String fault,
      int applied,
      boolean duplicate,
      @Nullable Integer status) {
    static One of(SandboxRequest request) {
      return new One(
          request.number(),
          request.at(),
          request.from().run(),
          request.from().flow(),
          request.from().step(),
          request.from().attempt(),
          request.way().name().toLowerCase(Locale.ROOT),
          request.method(),
          request.url(),
          request.keyOnWire(),
          request.body(),
          request.fault().word(),
          request.times(),
          request.isDuplicate(),
          request.status());
    }
  }

  /** An effect as the sandbox knows it. */
  record Effect(
      String effect, String key, String flow, String step, String guard, int sent, int applied) {
    static Effect of(EffectTruth truth) {
      return new Effect(
          truth.effect(),
          truth.key(),
          truth.flow(),
          truth.step(),
          truth.guard(),
          truth.sent(),
          truth.applied());
    }
  }

  static DevRequests of(TrialSandbox sandbox) {
    List<SandboxRequest> all = sandbox.requests();
    return new DevRequests(
        all.subList(Math.max(0, all.size() - MOST), all.size()).stream().map(One::of).toList(),
        sandbox.truth().stream().map(Effect::of).toList());
  }
}
