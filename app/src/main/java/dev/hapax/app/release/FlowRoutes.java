package dev.hapax.app.release;

import dev.hapax.app.data.Stored;
import dev.hapax.app.http.Actor;
import dev.hapax.app.http.Call;
import dev.hapax.app.http.FlowSubject;
import dev.hapax.app.http.Problem;
import dev.hapax.app.http.Route;
import dev.hapax.app.http.RouteAnswer;
import dev.hapax.app.http.TokenScope;
import dev.hapax.app.wire.Page;
import dev.hapax.flows.file.FlowFile;
import dev.hapax.flows.trigger.Trigger;
import dev.hapax.flows.trigger.WebhookTrigger;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** {@code /api/flows}: drafts, releases and which one is live. */
public final class FlowRoutes {
  private static final String YAML = "application/yaml";
  private static final String ALLOW_MISSING = "allowMissing";

  private final Releases releases;
  private final Flows live;
  private final boolean promotesByHand;
  private final Retirements retirements;

  /** The routes of a server on which one person can promote. */
  public FlowRoutes(Releases releases, Flows live) {
    this(releases, live, true);
  }

  /**
   * The routes of a server.
   *
   * @param promotesByHand whether one person can make a release live; otherwise only a deployment
   *     that another person approves does
   */
  public FlowRoutes(Releases releases, Flows live, boolean promotesByHand) {
    this.releases = releases;
    this.live = live;
    this.promotesByHand = promotesByHand;
    this.retirements = releases.retirements();
  }

  public List<Route> routes() {
    return List.of(
        Route.get("/api/flows", TokenScope.FLOWS_READ, "List flows by name", this::list)
            .about(FlowSubject.LISTED)
            .givesPage(FlowView.class),
        Route.get("/api/flows/{flow}", TokenScope.FLOWS_READ, "Get a flow and its state", this::get)
            .about(FlowSubject.IN_PATH)
            .gives(200, FlowView.Whole.class),
        Route.get(
                "/api/flows/{flow}/draft",
                TokenScope.FLOWS_READ,
                "Get the draft as YAML",
                this::getDraft)
            .about(FlowSubject.IN_PATH)
            .givesText(YAML),
        Route.put(
                "/api/flows/{flow}/draft",
                TokenScope.FLOWS_WRITE,
                "Write the draft",
                this::putDraft)
            .about(FlowSubject.WRITTEN)
            .takes(YAML)
            .gives(200, DraftView.class),
        Route.get(
                "/api/flows/{flow}/releases",
                TokenScope.FLOWS_READ,
                "List releases, newest first",
                this::all)
            .about(FlowSubject.IN_PATH)
            .givesPage(ReleaseView.class),
        Route.post(
                "/api/flows/{flow}/releases",
                TokenScope.FLOWS_WRITE,
                "Release the draft",
                this::release)
            .about(FlowSubject.IN_PATH)
            .takes(ReleaseBody.class)
            .gives(201, ReleaseView.Made.class)
            .gives(200, ReleaseView.Made.class),
        Route.get(
                "/api/flows/{flow}/releases/{release}",
                TokenScope.FLOWS_READ,
                "Get a release with its file",
                this::one)
            .about(FlowSubject.IN_PATH)
            .gives(200, ReleaseView.class),
        Route.get(
                "/api/flows/{flow}/releases/{release}/diff",
                TokenScope.FLOWS_READ,
                "Compare a release with another one",
                this::diff)
            .about(FlowSubject.IN_PATH)
            .query("from", "The release to compare with; the live one by default.")
            .gives(200, ReleaseView.Diff.class),
        Route.put(
                "/api/flows/{flow}/live",
                TokenScope.FLOWS_WRITE,
                "Make a release live: promote or roll back",
                this::promote)
            .about(FlowSubject.IN_PATH)
            .takes(PromoteBody.class)
            .gives(200, FlowView.Promoted.class),
        Route.delete(
                "/api/flows/{flow}/live",
                TokenScope.FLOWS_WRITE,
                "Retire a flow: nothing starts it until a release is live again",
                this::retire)
            .about(FlowSubject.IN_PATH)
            .query(ALLOW_MISSING, "With true, also if other live flows start this one.")
            .gives(200, FlowView.Retired.class));
  }

  private RouteAnswer list(Call call) {
    call.allowQuery("limit", "after");
    int limit = call.limit();
    List<FlowState> found = releases.flows(call.actor().tenant(), call.query("after"), limit + 1);
    return RouteAnswer.ok(
        Page.of(
            found,
            limit,
            state -> call.mayUse(state.name().flow()),
            state -> FlowView.of(state, releases.labels().of(state)),
            state -> state.name().flow()));
  }

  private RouteAnswer get(Call call) {
    FlowName flow = flow(call);
    FlowState state = releases.state(flow);
    return RouteAnswer.ok(
        FlowView.Whole.of(
            FlowView.of(state, releases.labels().of(state)),
            releases.draftOrNull(flow),
            live.find(flow.tenant(), flow.flow()),
            path -> releases.hookPaths().address(flow, path)));
  }

  private RouteAnswer getDraft(Call call) {
    Stored<Draft> draft = releases.draft(flow(call));
    return RouteAnswer.text(draft.value().text(), YAML).header("ETag", DraftView.etag(draft));
  }

  private RouteAnswer putDraft(Call call) {
    refuseOtherThanYaml(call.header("Content-Type"));
    Releases.DraftPut put =
        releases.putDraft(flow(call), call.text(), call.actor(), expected(call));
    return RouteAnswer.ok(DraftView.of(put)).header("ETag", DraftView.etag(put.draft()));
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

  private RouteAnswer all(Call call) {
    call.allowQuery("limit", "after");
    String after = call.query("after");
    int limit = call.limit();
    int before = after == null ? Integer.MAX_VALUE : number("after", after);
    List<Release> found = releases.list(flow(call), before, limit + 1);
    return RouteAnswer.ok(
        Page.of(found, limit, ReleaseView::of, release -> Integer.toString(release.number())));
  }

  /**
   * The options of a release.
   *
   * @param note what changed, for people
   * @param allowMissing whether the flow may need what this server does not have yet
   */
  record ReleaseBody(@Nullable String note, @Nullable Boolean allowMissing) {
    Releases.Wish wish() {
      return new Releases.Wish(note, Boolean.TRUE.equals(allowMissing));
    }
  }

  private RouteAnswer release(Call call) {
    FlowName flow = flow(call);
    Releases.Wish wish = call.jsonOrEmpty(ReleaseBody.class).wish();
    Releases.Released released =
        releases.release(flow, wish, call.actor(), file -> refuseUnlessAllowed(call.actor(), file));
    var made = ReleaseView.Made.of(released);
    return released.isNew()
        ? RouteAnswer.created(
            made, "/api/flows/%s/releases/%d".formatted(encoded(flow), made.release()))
        : RouteAnswer.ok(made);
  }

  /** A release works with the rights of its connections, and opens its webhooks to the world. */
  static void refuseUnlessAllowed(Actor author, FlowFile file) {
    if (!file.connections().isEmpty() && !author.may(TokenScope.CONNECTIONS_USE)) {
      throw Problem.forbidden(
          "the flow uses the connections %s: the token needs %s to release it"
              .formatted(file.connections(), TokenScope.CONNECTIONS_USE.word()));
    }
    for (Trigger trigger : file.triggers()) {
      if (trigger instanceof WebhookTrigger webhook
          && webhook.verify().scheme() == WebhookTrigger.Scheme.NONE
          && !author.may(TokenScope.WEBHOOKS_UNSIGNED)) {
        throw Problem.forbidden(
            "webhook '%s' checks no signature, so anyone could start runs: the token needs %s to release it"
                .formatted(webhook.path(), TokenScope.WEBHOOKS_UNSIGNED.word()));
      }
    }
  }

  private RouteAnswer one(Call call) {
    Release release = releases.get(flow(call), number("release", call.path("release")));
    return RouteAnswer.ok(ReleaseView.withText(release));
  }

  private RouteAnswer diff(Call call) {
    call.allowQuery("from");
    FlowName flow = flow(call);
    int to = number("release", call.path("release"));
    String given = call.query("from");
    int from = given != null ? number("from", given) : releases.state(flow).live();
    if (from == 0) {
      throw Problem.invalidInput(
          "from: expected a release, because %s has no live one".formatted(flow));
    }
    String diff = releases.diff(flow, from, to);
    return RouteAnswer.ok(new ReleaseView.Diff(from, to, diff.isEmpty(), diff));
  }

  /**
   * The release that becomes live.
   *
   * @param allowMissing whether it may need what this server does not have yet
   */
  record PromoteBody(@Nullable Integer release, @Nullable Boolean allowMissing) {}

  private RouteAnswer promote(Call call) {
    refuseByHand("make releases live", "hapax deploy DIR");
    FlowName flow = flow(call);
    PromoteBody body = call.json(PromoteBody.class);
    Integer release = body.release();
    if (release == null) {
      throw Problem.invalidInput("release: expected the number of a release, got nothing");
    }
    Releases.NowLive now =
        releases.promote(flow, release, Boolean.TRUE.equals(body.allowMissing()), call.actor());
    return RouteAnswer.ok(
        FlowView.Promoted.of(
            FlowView.of(now.state(), releases.labels().of(now.state())), now.findings()));
  }

  private RouteAnswer retire(Call call) {
    call.allowQuery(ALLOW_MISSING);
    refuseByHand("retire flows", "hapax deploy DIR --prune");
    Retirements.NowRetired now =
        retirements.retire(flow(call), call.flag(ALLOW_MISSING), call.actor(), call::mayUse);
    return RouteAnswer.ok(FlowView.Retired.of(now, releases.labels().of(now.state())));
  }

  private void refuseByHand(String what, String instead) {
    if (!promotesByHand) {
      throw Problem.notPossible(
          "on this server two people %s (deploy.approval: other-person). Use '%s', then another person 'hapax deploy approve NUMBER'"
              .formatted(what, instead));
    }
  }

  static FlowName flow(Call call) {
    return new FlowName(call.actor().tenant(), call.path("flow"));
  }

  static int number(String what, String text) {
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
