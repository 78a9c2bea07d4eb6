package dev.hapax.app.api;

import dev.hapax.Hapax;
import dev.hapax.Settlement;
import dev.hapax.app.http.Answer;
import dev.hapax.app.http.Call;
import dev.hapax.app.http.Problem;
import dev.hapax.app.http.Route;
import dev.hapax.app.http.Scope;
import dev.hapax.app.wire.EffectView;
import dev.hapax.app.wire.Page;
import dev.hapax.json.Json;
import dev.hapax.run.EffectRecord;
import dev.hapax.run.EffectState;
import dev.hapax.run.Reviewed;
import dev.hapax.run.SettleDecision;
import dev.hapax.store.EffectFilter;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** The ledger as routes: the effects of runs, and a person's decision about a doubt. */
public final class Effects {
  private Effects() {}

  /** Returns its routes. */
  public static List<Route> routes() {
    return List.of(
        Route.get("/api/effects", Scope.EFFECTS_READ, "List effects, newest first", Effects::list)
            .query("name", "The effect's name.")
            .query("key", "Its business key.")
            .query("state", "Where it stands.")
            .query("draft", "Whether those of drafts are listed instead: what would be sent.")
            .givesPage(EffectView.class),
        Route.get("/api/effects/{id}", Scope.EFFECTS_READ, "Get an effect", Effects::get)
            .gives(200, EffectView.class),
        Route.post(
                "/api/effects/{id}/settle",
                Scope.EFFECTS_SETTLE,
                "Say what became of an effect in review",
                Effects::settle)
            .takes(SettleBody.class)
            .gives(200, EffectView.class));
  }

  private static Answer list(Call call) {
    call.allowQuery("name", "key", "state", "limit", "after", Space.DRAFT);
    int limit = call.limit();
    Hapax hapax = Space.of(call);
    var filter =
        new EffectFilter(
            call.actor().tenant(),
            call.query("name"),
            call.query("key"),
            state(call.query("state")),
            Cursor.after(call),
            limit + 1);
    return Answer.ok(
        Page.of(
            hapax.effects(filter),
            limit,
            row -> EffectView.of(row, hapax.ownerOf(row)),
            row -> Cursor.of(row.number())));
  }

  private static @Nullable EffectState state(@Nullable String word) {
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

  private static Answer get(Call call) {
    return answer(Space.of(call), call.path("id"));
  }

  private static Answer answer(Hapax hapax, String id) {
    EffectRecord row = effect(hapax, id);
    return Answer.ok(EffectView.of(row, hapax.ownerOf(row)));
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
      @Nullable String reason) {
    /** Returns null if the caller does not say which review they looked at. */
    @Nullable Reviewed seen() {
      return revision == null && attempt == null ? null : new Reviewed(revision, attempt);
    }
  }

  private static Answer settle(Call call) {
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
            body.seen()));
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
