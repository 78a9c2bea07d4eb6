package dev.hapax.app.release;

import dev.hapax.app.data.Stored;
import dev.hapax.app.http.Answer;
import dev.hapax.app.http.Call;
import dev.hapax.app.http.Problem;
import dev.hapax.app.http.Route;
import dev.hapax.app.http.Scope;
import dev.hapax.flows.LoadedFlow;
import dev.hapax.flows.check.Finding;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** {@code /api/flows}: drafts, releases and which one is live. */
public final class FlowRoutes {
  private static final String YAML = "application/yaml";

  private final Releases releases;
  private final Flows live;

  public FlowRoutes(Releases releases, Flows live) {
    this.releases = releases;
    this.live = live;
  }

  public List<Route> routes() {
    return List.of(
        Route.get("/api/flows", Scope.FLOWS_READ, "Flows, by name", this::list),
        Route.get("/api/flows/{flow}", Scope.FLOWS_READ, "A flow and where it stands", this::get),
        Route.get("/api/flows/{flow}/draft", Scope.FLOWS_READ, "The draft as YAML", this::getDraft),
        Route.put("/api/flows/{flow}/draft", Scope.FLOWS_WRITE, "Put a draft", this::putDraft),
        Route.get(
            "/api/flows/{flow}/releases", Scope.FLOWS_READ, "Releases, newest first", this::all),
        Route.post(
            "/api/flows/{flow}/releases", Scope.FLOWS_WRITE, "Release the draft", this::release),
        Route.get(
            "/api/flows/{flow}/releases/{release}",
            Scope.FLOWS_READ,
            "A release with its file",
            this::one),
        Route.get(
            "/api/flows/{flow}/releases/{release}/diff",
            Scope.FLOWS_READ,
            "How a release differs from another one",
            this::diff),
        Route.put(
            "/api/flows/{flow}/live",
            Scope.FLOWS_WRITE,
            "Make a release live: promote or roll back",
            this::promote));
  }

  private Answer list(Call call) {
    call.allowQuery("limit", "after");
    int limit = call.limit();
    List<FlowState> flows = releases.flows(call.actor().tenant(), call.query("after"), limit);
    String next = flows.size() < limit ? null : flows.getLast().name().flow();
    return page(flows.stream().map(FlowRoutes::json).toList(), next);
  }

  private Answer get(Call call) {
    FlowName flow = flow(call);
    Map<String, @Nullable Object> json = json(releases.state(flow));
    Stored<Draft> draft = releases.draftOrNull(flow);
    json.put("draft", draft == null ? null : json(draft));
    LoadedFlow now = live.find(flow.tenant(), flow.flow());
    json.put("description", now == null ? null : now.file().description());
    json.put("triggers", now == null ? List.of() : Triggers.json(now.file()));
    return Answer.ok(json);
  }

  private Answer getDraft(Call call) {
    Stored<Draft> draft = releases.draft(flow(call));
    return Answer.text(draft.value().text(), YAML).header("ETag", etag(draft));
  }

  private Answer putDraft(Call call) {
    refuseOtherThanYaml(call.header("Content-Type"));
    Releases.DraftPut put =
        releases.putDraft(flow(call), call.text(), call.actor().name(), expected(call));
    Map<String, @Nullable Object> json = json(put.draft());
    json.put("findings", json(put.findings()));
    return Answer.ok(json).header("ETag", etag(put.draft()));
  }

  private static void refuseOtherThanYaml(@Nullable String type) {
    String plain = type == null ? "none" : type.split(";", 2)[0].strip().toLowerCase(Locale.ROOT);
    if (!List.of(YAML, "application/x-yaml", "text/yaml").contains(plain)) {
      throw Problem.unsupportedMediaType(
          "Content-Type: expected %s, got %s".formatted(YAML, plain));
    }
  }

  /** The version that the caller wants to replace; null if it did not say. */
  private static @Nullable Long expected(Call call) {
    String match = call.header("If-Match");
    if (match == null) {
      return "*".equals(call.header("If-None-Match")) ? Long.valueOf(0) : null;
    }
    try {
      return Long.valueOf(match.replace("\"", "").strip());
    } catch (NumberFormatException e) {
      throw Problem.invalidInput(
          "If-Match: expected the ETag of a draft, got '%s'".formatted(match));
    }
  }

  private Answer all(Call call) {
    call.allowQuery("limit", "after");
    String after = call.query("after");
    int limit = call.limit();
    int before = after == null ? Integer.MAX_VALUE : number("after", after);
    List<Release> page = releases.list(flow(call), before, limit);
    String next = page.size() < limit ? null : Integer.toString(page.getLast().number());
    return page(page.stream().map(FlowRoutes::json).toList(), next);
  }

  /**
   * What a release may say.
   *
   * @param note what changed, for people
   */
  record ReleaseRequest(@Nullable String note) {}

  private Answer release(Call call) {
    FlowName flow = flow(call);
    String note = call.jsonOrEmpty(ReleaseRequest.class).note();
    Releases.Released released = releases.release(flow, note, call.actor().name());
    var json = new LinkedHashMap<String, Object>();
    json.put("release", released.release().number());
    json.put("hash", released.release().hash());
    json.put("findings", json(released.findings()));
    return released.isNew()
        ? Answer.created(
            json, "/api/flows/%s/releases/%d".formatted(encoded(flow), released.release().number()))
        : Answer.ok(json);
  }

  private Answer one(Call call) {
    Release release = releases.get(flow(call), number("release", call.path("release")));
    Map<String, @Nullable Object> json = json(release);
    json.put("text", release.text());
    return Answer.ok(json);
  }

  private Answer diff(Call call) {
    call.allowQuery("from");
    FlowName flow = flow(call);
    int to = number("release", call.path("release"));
    String given = call.query("from");
    int from = given != null ? number("from", given) : releases.state(flow).live();
    if (from == 0) {
      throw Problem.invalidInput(
          "from: expected a release, since %s has no live one".formatted(flow));
    }
    String diff = releases.diff(flow, from, to);
    return Answer.ok(Map.of("from", from, "to", to, "same", diff.isEmpty(), "diff", diff));
  }

  /** Which release is to be live. */
  record PromoteRequest(@Nullable Integer release) {}

  private Answer promote(Call call) {
    FlowName flow = flow(call);
    Integer release = call.json(PromoteRequest.class).release();
    if (release == null) {
      throw Problem.invalidInput("release: expected the number of a release, got nothing");
    }
    return Answer.ok(json(releases.promote(flow, release, call.actor().name())));
  }

  private static FlowName flow(Call call) {
    return new FlowName(call.actor().tenant(), call.path("flow"));
  }

  private static int number(String what, String text) {
    try {
      return Integer.parseInt(text);
    } catch (NumberFormatException e) {
      throw Problem.invalidInput(
          "%s: expected the number of a release, got '%s'".formatted(what, text));
    }
  }

  private static Answer page(List<? extends Map<String, ?>> items, @Nullable String next) {
    var page = new LinkedHashMap<String, @Nullable Object>();
    page.put("items", items);
    page.put("next", next);
    return Answer.ok(page);
  }

  private static Map<String, @Nullable Object> json(FlowState state) {
    var json = new LinkedHashMap<String, @Nullable Object>();
    json.put("flow", state.name().flow());
    json.put("live", state.live() == 0 ? null : state.live());
    json.put("newest", state.newest() == 0 ? null : state.newest());
    json.put("promotedAt", state.promotedAt());
    json.put("promotedBy", state.promotedBy());
    return json;
  }

  private static Map<String, @Nullable Object> json(Stored<Draft> draft) {
    var json = new LinkedHashMap<String, @Nullable Object>();
    json.put("etag", etag(draft));
    json.put("author", draft.value().author());
    json.put("updatedAt", draft.value().updatedAt());
    return json;
  }

  private static Map<String, @Nullable Object> json(Release release) {
    var json = new LinkedHashMap<String, @Nullable Object>();
    json.put("release", release.number());
    json.put("hash", release.hash());
    json.put("note", release.note());
    json.put("author", release.author());
    json.put("createdAt", release.createdAt());
    return json;
  }

  private static List<Map<String, Object>> json(List<Finding> findings) {
    return findings.stream().map(Finding::json).toList();
  }

  private static String etag(Stored<Draft> draft) {
    return "\"" + draft.version() + "\"";
  }

  private static String encoded(FlowName flow) {
    return flow.flow().replace("/", "%2F");
  }
}
