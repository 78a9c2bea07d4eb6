package dev.hapax.app.release;

import dev.hapax.app.data.Stored;
import dev.hapax.app.http.Answer;
import dev.hapax.app.http.Call;
import dev.hapax.app.http.Problem;
import dev.hapax.app.http.Route;
import dev.hapax.app.http.Scope;
import dev.hapax.app.wire.Page;
import java.util.List;
import java.util.Locale;
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
        Route.get("/api/flows", Scope.FLOWS_READ, "Flows, by name", this::list)
            .givesPage(FlowView.class),
        Route.get("/api/flows/{flow}", Scope.FLOWS_READ, "A flow and where it stands", this::get)
            .gives(200, FlowView.Whole.class),
        Route.get("/api/flows/{flow}/draft", Scope.FLOWS_READ, "The draft as YAML", this::getDraft)
            .givesText(YAML),
        Route.put("/api/flows/{flow}/draft", Scope.FLOWS_WRITE, "Put a draft", this::putDraft)
            .takes(YAML)
            .gives(200, DraftView.class),
        Route.get(
                "/api/flows/{flow}/releases", Scope.FLOWS_READ, "Releases, newest first", this::all)
            .givesPage(ReleaseView.class),
        Route.post(
                "/api/flows/{flow}/releases", Scope.FLOWS_WRITE, "Release the draft", this::release)
            .takes(ReleaseBody.class)
            .gives(201, ReleaseView.Made.class)
            .gives(200, ReleaseView.Made.class),
        Route.get(
                "/api/flows/{flow}/releases/{release}",
                Scope.FLOWS_READ,
                "A release with its file",
                this::one)
            .gives(200, ReleaseView.class),
        Route.get(
                "/api/flows/{flow}/releases/{release}/diff",
                Scope.FLOWS_READ,
                "How a release differs from another one",
                this::diff)
            .query("from", "The release that it is compared with; else the live one.")
            .gives(200, ReleaseView.Diff.class),
        Route.put(
                "/api/flows/{flow}/live",
                Scope.FLOWS_WRITE,
                "Make a release live: promote or roll back",
                this::promote)
            .takes(PromoteBody.class)
            .gives(200, FlowView.class));
  }

  private Answer list(Call call) {
    call.allowQuery("limit", "after");
    int limit = call.limit();
    List<FlowState> found = releases.flows(call.actor().tenant(), call.query("after"), limit + 1);
    return Answer.ok(Page.of(found, limit, FlowView::of, state -> state.name().flow()));
  }

  private Answer get(Call call) {
    FlowName flow = flow(call);
    return Answer.ok(
        FlowView.Whole.of(
            releases.state(flow),
            releases.draftOrNull(flow),
            live.find(flow.tenant(), flow.flow())));
  }

  private Answer getDraft(Call call) {
    Stored<Draft> draft = releases.draft(flow(call));
    return Answer.text(draft.value().text(), YAML).header("ETag", DraftView.etag(draft));
  }

  private Answer putDraft(Call call) {
    refuseOtherThanYaml(call.header("Content-Type"));
    Releases.DraftPut put =
        releases.putDraft(flow(call), call.text(), call.actor().name(), expected(call));
    return Answer.ok(DraftView.of(put)).header("ETag", DraftView.etag(put.draft()));
  }

  private static void refuseOtherThanYaml(@Nullable String type) {
    String plain = type == null ? "none" : type.split(";", 2)[0].strip().toLowerCase(Locale.ROOT);
    if (!List.of(YAML, "application/x-yaml", "text/yaml").contains(plain)) {
      throw Problem.unsupportedMediaType(
          "Content-Type: expected %s, got %s".formatted(YAML, plain));
    }
  }

  /** Returns the version that the caller wants to replace; null if it did not say. */
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
    List<Release> found = releases.list(flow(call), before, limit + 1);
    return Answer.ok(
        Page.of(found, limit, ReleaseView::of, release -> Integer.toString(release.number())));
  }

  /**
   * The options of a release.
   *
   * @param note what changed, for people
   */
  record ReleaseBody(@Nullable String note) {}

  private Answer release(Call call) {
    FlowName flow = flow(call);
    String note = call.jsonOrEmpty(ReleaseBody.class).note();
    Releases.Released released = releases.release(flow, note, call.actor().name());
    var made = ReleaseView.Made.of(released);
    return released.isNew()
        ? Answer.created(made, "/api/flows/%s/releases/%d".formatted(encoded(flow), made.release()))
        : Answer.ok(made);
  }

  private Answer one(Call call) {
    Release release = releases.get(flow(call), number("release", call.path("release")));
    return Answer.ok(ReleaseView.withText(release));
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
    return Answer.ok(new ReleaseView.Diff(from, to, diff.isEmpty(), diff));
  }

  /** The release that becomes live. */
  record PromoteBody(@Nullable Integer release) {}

  private Answer promote(Call call) {
    FlowName flow = flow(call);
    Integer release = call.json(PromoteBody.class).release();
    if (release == null) {
      throw Problem.invalidInput("release: expected the number of a release, got nothing");
    }
    return Answer.ok(FlowView.of(releases.promote(flow, release, call.actor().name())));
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

  private static String encoded(FlowName flow) {
    return flow.flow().replace("/", "%2F");
  }
}
