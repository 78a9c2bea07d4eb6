package dev.hapax.trial.sandbox;

import dev.hapax.flows.connection.Connection;
import dev.hapax.flows.connection.RemoteAnswer;
import dev.hapax.flows.connection.RemoteOrder;
import dev.hapax.flows.connection.RemoteState;
import dev.hapax.json.Json;
import dev.hapax.trial.sandbox.SandboxRequest.Way;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The machines of a trial. A machine begins a job once per token, as the launcher does. A job ends
 * at once, with exit code 0 unless its answer says something else.
 */
final class RemoteJobs {
  private RemoteJobs() {}

  static RemoteAnswer answer(
      Connection.Ssh ssh,
      RemoteOrder order,
      RequestOrigin from,
      Duration timeout,
      Exchanges exchanges,
      UsualAnswers usual)
      throws IOException {
    Content content =
        exchanges.send(
            letter(ssh, order, from),
            from,
            timeout,
            (request, given) ->
                given.isFailure()
                    ? new Content(given.status() == null ? 500 : given.status(), Map.of(), null)
                    : usual.value(request, given, usualOutput(order)));
    TrialSandbox.refuse(content, "host of connection '%s'".formatted(ssh.name()));
    return answer(order, content.body());
  }

  private static Letter letter(Connection.Ssh ssh, RemoteOrder order, RequestOrigin from) {
    String name = ssh.name();
    Sameness begun = new Sameness.ByKey(name, order.token(), ssh.keep(), true);
    return switch (order) {
      case RemoteOrder.Start start ->
          letter("run", name, start, from.isEffect() ? begun : new Sameness.Reading());
      case RemoteOrder.Look look -> letter("job", name, look, new Sameness.Reading());
      case RemoteOrder.Cancel cancel ->
          letter(
              "cancel", name, cancel, new Sameness.ByState(name + "/" + order.token(), "canceled"));
    };
  }

  private static Letter letter(String verb, String name, RemoteOrder order, Sameness sameness) {
    return Letter.of(Way.SSH, verb, name, Json.write(order), sameness);
  }

  /** The output of the step, by which a person would settle a review. */
  private static Map<String, Object> usualOutput(RemoteOrder order) {
    var output = new LinkedHashMap<String, Object>();
    switch (order) {
      case RemoteOrder.Start start when start.isDetached() -> output.put("job", start.token());
      case RemoteOrder.Start _ -> {}
      case RemoteOrder.Look _ -> output.put("state", RemoteState.ENDED.word());
      case RemoteOrder.Cancel _ -> {
        output.put("state", RemoteState.CANCELED.word());
        return output;
      }
    }
    output.put("exit", 0);
    output.put("stdout", "");
    output.put("stderr", "");
    return output;
  }

  private static RemoteAnswer answer(RemoteOrder order, @Nullable Object body) {
    Map<?, ?> given = body instanceof Map<?, ?> map ? map : Map.of();
    RemoteState state =
        order instanceof RemoteOrder.Cancel
            ? RemoteState.CANCELED
            : given.get("state") instanceof String word
                ? RemoteState.valueOf(word.toUpperCase(Locale.ROOT))
                : RemoteState.ENDED;
    Object said = body instanceof String text ? text : given.get("stdout");
    Object errors = given.get("stderr");
    return new RemoteAnswer(
        state,
        state != RemoteState.ENDED
            ? null
            : given.get("exit") instanceof Number exit ? Integer.valueOf(exit.intValue()) : 0,
        said == null ? "" : said,
        errors == null ? "" : errors);
  }
}
