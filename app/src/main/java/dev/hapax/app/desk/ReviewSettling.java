package dev.hapax.app.desk;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.hapax.Hapax;
import dev.hapax.Settlement;
import dev.hapax.app.http.AuditTrail;
import dev.hapax.app.http.Call;
import dev.hapax.app.http.FlowSubject;
import dev.hapax.app.http.Method;
import dev.hapax.app.http.Problem;
import dev.hapax.app.http.Problems;
import dev.hapax.app.http.Route;
import dev.hapax.app.http.RouteAnswer;
import dev.hapax.app.http.TokenScope;
import dev.hapax.flow.EffectRecord;
import dev.hapax.flow.NotFound;
import dev.hapax.flow.Reviewed;
import dev.hapax.flow.SettleDecision;
import dev.hapax.json.Json;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Settles several reviews by one decision. Each is bound to the revision and the attempt that the
 * person saw, and has a result of its own: one that has changed meanwhile stops none of the others.
 */
final class ReviewSettling {
  private static final int MOST = 200;
  private static final String PATH = "/api/reviews/settle";

  /** The problems that are about one effect. Others, as of the store, end the call. */
  private static final Set<String> OF_ONE =
      Set.of("not-found", "stale", "not-possible", "forbidden", "invalid-input");

  private final AuditTrail audit;

  ReviewSettling(AuditTrail audit) {
    this.audit = audit;
  }

  Route route() {
    return Route.post(
            PATH,
            TokenScope.EFFECTS_SETTLE,
            "Settle several reviews by one decision, with a result for each",
            this::settle)
        .about(FlowSubject.LISTED)
        .takes(Body.class)
        .gives(200, Settled.class);
  }

  private record Body(
      @Nullable String decision,
      @Nullable String reason,
      @Nullable Boolean compensate,
      @Nullable List<@Nullable Item> items) {}

  private record Item(
      @Nullable String effect,
      @Nullable Integer revision,
      @Nullable Integer attempt,
      @Nullable String externalId,
      @Nullable JsonNode result) {}

  /**
   * The results of the call.
   *
   * @param settled how many were settled
   * @param refused how many were not, and are as they were
   */
  record Settled(int settled, int refused, List<One> items) {}

  /**
   * The result for one effect.
   *
   * @param outcome {@code settled}, or the name of the problem
   * @param state of the effect now; null if it is unknown
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record One(String effect, String outcome, @Nullable String state, @Nullable String detail) {}

  private RouteAnswer settle(Call call) {
    Body body = call.json(Body.class);
    SettleDecision decision = decision(body.decision());
    String reason = body.reason();
    if (reason == null || reason.isBlank()) {
      throw Problem.invalidInput("reason: expected a text for the history, got nothing");
    }
    boolean compensate = Boolean.TRUE.equals(body.compensate());
    if (compensate && decision != SettleDecision.HAPPENED) {
      throw Problem.invalidInput(
          "compensate: only what happened can be undone; expected the decision 'happened'");
    }
    List<Item> items = items(body.items());
    var results = new ArrayList<One>();
    for (Item item : items) {
      String id = Objects.requireNonNull(item.effect());
      JsonNode result = item.result();
      results.add(
          one(
              call,
              id,
              new Settlement(
                  decision,
                  result == null || result.isNull() ? null : Json.write(result),
                  item.externalId(),
                  reason,
                  call.actor().name(),
                  new Reviewed(item.revision(), item.attempt()),
                  compensate)));
    }
    int settled = (int) results.stream().filter(one -> one.outcome().equals("settled")).count();
    return RouteAnswer.ok(new Settled(settled, results.size() - settled, results));
  }

  /** All are checked before the first is settled. */
  private static List<Item> items(@Nullable List<@Nullable Item> given) {
    if (given == null || given.isEmpty() || given.size() > MOST) {
      throw Problem.invalidInput("items: expected 1 to %d effects".formatted(MOST));
    }
    Set<String> seen = new HashSet<>();
    var items = new ArrayList<Item>();
    for (Item item : given) {
      if (item == null
          || item.effect() == null
          || item.revision() == null
          || item.attempt() == null) {
        throw Problem.invalidInput(
            "items: expected effect, revision and attempt of each review, as you saw them");
      }
      if (!seen.add(item.effect())) {
        throw Problem.invalidInput("items: effect '%s' is there twice".formatted(item.effect()));
      }
      items.add(item);
    }
    return items;
  }

  private static SettleDecision decision(@Nullable String word) {
    return Arrays.stream(SettleDecision.values())
        .filter(decision -> decision.word().equals(word))
        .findFirst()
        .orElseThrow(
            () ->
                Problem.invalidInput(
                    "decision: expected happened, not-happened or abandon, got "
                        + (word == null ? "nothing" : "'" + word + "'")));
  }

  /** A store that does not answer ends the call: the results so far are in the history. */
  private One one(Call call, String id, Settlement settlement) {
    Hapax hapax = call.hapax();
    try {
      EffectRecord row = DeskEffects.effect(hapax, id);
      if (!DeskEffects.isFor(call, hapax.findRun(row.run()))) {
        throw Problem.notFound("there is no effect '%s'".formatted(id));
      }
      audit.append(line(call, id, settlement));
      hapax.settle(id, settlement);
      return new One(id, "settled", hapax.effect(id).state().word(), null);
    } catch (RuntimeException refused) {
      String problem = Problems.nameOf(refused);
      if (!OF_ONE.contains(problem)) {
        throw refused;
      }
      audit.append(line(call, id, settlement).refused(refused));
      return new One(id, problem, state(hapax, id), refused.getMessage());
    }
  }

  private static @Nullable String state(Hapax hapax, String id) {
    try {
      return hapax.effect(id).state().word();
    } catch (NotFound | IllegalArgumentException e) {
      return null;
    }
  }

  private static AuditTrail.Line line(Call call, String id, Settlement settlement) {
    return new AuditTrail.Line(
        call.actor().tenant(),
        call.actor().name(),
        call.actor().id(),
        call.remoteAddress(),
        Method.POST + " " + PATH,
        "id=%s, decision=%s".formatted(id, settlement.decision().word()),
        "asked");
  }
}
