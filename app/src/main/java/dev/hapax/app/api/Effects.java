package dev.hapax.app.api;

import dev.hapax.Hapax;
import dev.hapax.Settlement;
import dev.hapax.app.http.Call;
import dev.hapax.app.http.FlowSubject;
import dev.hapax.app.http.Problem;
import dev.hapax.app.http.Route;
import dev.hapax.app.http.RouteAnswer;
import dev.hapax.app.http.TokenScope;
import dev.hapax.app.wire.EffectView;
import dev.hapax.app.wire.PageRows;
import dev.hapax.flow.EffectFilter;
import dev.hapax.flow.EffectRecord;
import dev.hapax.flow.EffectSearch;
import dev.hapax.flow.EffectState;
import dev.hapax.flow.Reviewed;
import dev.hapax.flow.Run;
import dev.hapax.flow.SettleDecision;
import dev.hapax.flow.TextMatch;
import dev.hapax.json.Json;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** The ledger as routes: the effects of runs, and a person's decision about a doubt. */
public final class Effects {
  private static final FlowSubject OF_EFFECT =
      FlowSubject.of(
          "effect",
          "id",
          call -> {
            Hapax hapax = Space.of(call);
            return flowOf(hapax, effect(hapax, call.path("id")));
          });

  private Effects() {}

  /** Returns its routes. */
  public static List<Route> routes() {
    return List.of(
        Route.get(
                "/api/effects",
                TokenScope.EFFECTS_READ,
                "List effects, newest first",
                Effects::list)
            .about(FlowSubject.LISTED)
            .query("name", "The effect's name.")
            .query("key", "Its business key.")
            .query("state", "The effect's state.")
            .query("run", "Only effects that this run has claimed, also those that it reused.")
            .query("externalId", "Its id at the destination.")
            .query("wireKey", "The key that was sent to the destination.")
            .query("keyPrefix", "Only effects whose business key begins with this.")
            .query("draft", "With true, lists effects of drafts instead: what would be sent.")
            .givesPage(EffectView.class),
        Route.get("/api/effects/{id}", TokenScope.EFFECTS_READ, "Get an effect", Effects::get)
            .about(OF_EFFECT)
            .gives(200, EffectView.class),
        Route.post(
                "/api/effects/{id}/settle",
                TokenScope.EFFECTS_SETTLE,
                "Settle an effect in review",
                Effects::settle)
            .about(OF_EFFECT)
            .takes(SettleBody.class)
            .gives(200, EffectView.class));
  }

  private static RouteAnswer list(Call call) {
    call.allowQuery(
        "name",
        "key",
        "state",
        "run",
        "externalId",
        "wireKey",
        "keyPrefix",
        "limit",
        "after",
        Space.DRAFT);
    int limit = call.limit();
    Hapax hapax = Space.of(call);
    var filter =
        new EffectFilter(
            call.actor().tenant(),
            call.query("name"),
            call.query("key"),
            state(call.query("state")),
            Cursor.after(call),
            search(call),
            limit + 1);
    var rows =
        new PageRows<EffectRecord>(
            (before, most) ->
                hapax.effects((before == null ? filter : filter.before(before)).limit(most)),
            EffectRecord::number,
            Effects::bytes);
    return RouteAnswer.ok(
        rows.page(
            null,
            limit,
            row -> isFor(call, hapax, row),
            row -> EffectView.of(row, hapax.ownerOf(row)),
            row -> Cursor.of(row.number())));
  }

  private static EffectSearch search(Call call) {
    String run = call.query("run");
    String prefix = call.query("keyPrefix");
    String externalId = call.query("externalId");
    return EffectSearch.NONE
        .run(run == null ? null : (Long) Runs.visible(call, run).number())
        .key(prefix == null ? null : TextMatch.beginningWith(prefix))
        .externalId(externalId == null ? null : TextMatch.exactly(externalId))
        .wireKey(call.query("wireKey"));
  }

  private static boolean isFor(Call call, Hapax hapax, EffectRecord row) {
    if (call.actor().flows().isAll()) {
      return true;
    }
    String flow = flowOf(hapax, row);
    return flow != null && call.mayUse(flow);
  }

  /** Returns the flow of the run that owns the effect; null if the run is forgotten. */
  private static @Nullable String flowOf(Hapax hapax, EffectRecord row) {
    if (row.isImported()) {
      return flowOf(row.key().name());
    }
    Run owner = hapax.findRun(row.run());
    return owner == null ? null : owner.flow();
  }

  /** No run has done it: only its name may say which flow it belongs to. */
  private static @Nullable String flowOf(String effect) {
    int step = effect.lastIndexOf('/');
    return step < 0 ? null : effect.substring(0, step);
  }

  private static long bytes(EffectRecord row) {
    return length(row.request()) + length(row.result());
  }

  private static long length(@Nullable String text) {
    return text == null ? 0 : text.length();
  }

  static @Nullable EffectState state(@Nullable String word) {
    if (word == null) {
      return null;
    }
    return Arrays.stream(EffectState.values())
        .filter(state -> state.word().equals(word))
        .findFirst()
        .orElseThrow(
            () ->
                Problem.invalidInput(
                    "state: expected one of %s, got '%s'"
                        .formatted(
                            Arrays.stream(EffectState.values()).map(EffectState::word).toList(),
                            word)));
  }

  private static RouteAnswer get(Call call) {
    return answer(Space.of(call), call.path("id"));
  }

  private static RouteAnswer answer(Hapax hapax, String id) {
    EffectRecord row = effect(hapax, id);
    return RouteAnswer.ok(EffectView.of(row, hapax.ownerOf(row)));
  }

  private static EffectRecord effect(Hapax hapax, String id) {
    try {
      return hapax.effect(id);
    } catch (IllegalArgumentException e) {
      throw Problem.notFound("there is no effect '%s'".formatted(id));
    }
  }

  private record SettleBody(
      @Nullable String decision,
      @Nullable Integer revision,
      @Nullable Integer attempt,
      @Nullable String externalId,
      @Nullable JsonNode result,
      @Nullable String reason,
      @Nullable Boolean compensate) {
    /** Returns null if the caller does not say which review they looked at. */
    @Nullable Reviewed seen() {
      return revision == null && attempt == null ? null : new Reviewed(revision, attempt);
    }
  }

  private static RouteAnswer settle(Call call) {
    SettleBody body = call.json(SettleBody.class);
    Hapax hapax = Space.of(call);
    String id = effect(hapax, call.path("id")).id();
    JsonNode result = body.result();
    hapax.settle(
        id,
        new Settlement(
            decision(body.decision()),
            result == null ? null : Json.write(result),
            body.externalId(),
            Runs.needed("reason", body.reason()),
            call.actor().name(),
            body.seen(),
            Boolean.TRUE.equals(body.compensate())));
    return answer(hapax, id);
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
}
