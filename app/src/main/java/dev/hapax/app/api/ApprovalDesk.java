package dev.hapax.app.api;

import dev.hapax.Approvals;
import dev.hapax.Hapax;
import dev.hapax.Verdict;
import dev.hapax.app.http.Actor;
import dev.hapax.app.http.Call;
import dev.hapax.app.http.FlowSubject;
import dev.hapax.app.http.Problem;
import dev.hapax.app.http.Route;
import dev.hapax.app.http.RouteAnswer;
import dev.hapax.app.http.TokenScope;
import dev.hapax.app.wire.ApprovalView;
import dev.hapax.app.wire.Page;
import dev.hapax.flow.ApprovalFilter;
import dev.hapax.flow.Decision;
import dev.hapax.flow.WaitState;
import dev.hapax.json.Json;
import dev.hapax.run.wait.Wait;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Lists the questions that runs ask people, and takes their decisions. */
public final class ApprovalDesk {
  private static final FlowSubject OF_APPROVAL =
      FlowSubject.of(
          "approval",
          "id",
          call -> {
            Hapax hapax = Space.of(call);
            return hapax.run(item(hapax.approvals(), call.path("id")).run()).flow();
          });

  private final String address;

  /**
   * Approvals with links to their pages.
   *
   * @param address where people reach this server, without a slash at its end
   */
  public ApprovalDesk(String address) {
    this.address = address;
  }

  /** Returns its routes. */
  public List<Route> routes() {
    return List.of(
        Route.get(
                "/api/approvals",
                TokenScope.APPROVALS_READ,
                "List approvals, newest first",
                this::list)
            .about(FlowSubject.LISTED)
            .query("state", "open (the default), decided, expired or closed.")
            .query("role", "Only approvals that this role may decide.")
            .givesPage(ApprovalView.class),
        Route.get("/api/approvals/{id}", TokenScope.APPROVALS_READ, "Get an approval", this::get)
            .about(OF_APPROVAL)
            .gives(200, ApprovalView.class),
        Route.post(
                "/api/approvals/{id}",
                TokenScope.APPROVALS_DECIDE,
                "Decide an approval; of several decisions at once exactly one counts",
                ApprovalDesk::decide)
            .about(OF_APPROVAL)
            .takes(DecisionBody.class)
            .gives(200, Receipt.class));
  }

  private RouteAnswer list(Call call) {
    call.allowQuery("state", "role", "limit", "after", Space.DRAFT);
    int limit = call.limit();
    Hapax hapax = Space.of(call);
    Approvals approvals = hapax.approvals();
    var filter =
        new ApprovalFilter(
            call.actor().tenant(),
            call.query("role"),
            state(call.query("state")),
            Cursor.after(call),
            limit + 1);
    return RouteAnswer.ok(
        Page.of(
            approvals.list(filter),
            limit,
            item -> call.actor().flows().isAll() || call.mayUse(hapax.run(item.run()).flow()),
            item -> view(approvals, item, call.actor()),
            item -> Cursor.of(Wait.number(item.id()))));
  }

  /** Open ones, unless the caller asks for another state. */
  private static @Nullable WaitState state(@Nullable String word) {
    if (word == null) {
      return WaitState.OPEN;
    }
    return Arrays.stream(WaitState.values())
        .filter(state -> state.word().equals(word))
        .findFirst()
        .orElseThrow(
            () ->
                Problem.invalidInput(
                    "state: expected open, decided, expired or closed, got '%s'".formatted(word)));
  }

  private RouteAnswer get(Call call) {
    Approvals approvals = Space.of(call).approvals();
    return RouteAnswer.ok(view(approvals, item(approvals, call.path("id")), call.actor()));
  }

  private static Approvals.Item item(Approvals approvals, String id) {
    try {
      return approvals.get(id);
    } catch (IllegalArgumentException e) {
      throw Problem.notFound("there is no approval '%s'".formatted(id));
    }
  }

  /** A link decides without a token, so only callers who may decide get it. */
  private ApprovalView view(Approvals approvals, Approvals.Item item, Actor actor) {
    boolean mayDecide =
        item.state() == WaitState.OPEN
            && actor.may(TokenScope.APPROVALS_DECIDE)
            && (item.roles().isEmpty()
                || !Collections.disjoint(item.roles(), rolesOf(actor, item)));
    return ApprovalView.of(
        item, mayDecide ? address + "/approvals/" + approvals.link(item.id()) : null);
  }

  /** An admin has every role. */
  static List<String> rolesOf(Actor actor, Approvals.Item item) {
    return actor.scopes().contains(TokenScope.ADMIN) ? item.roles() : List.copyOf(actor.roles());
  }

  private record DecisionBody(
      @Nullable String decision, @Nullable String comment, @Nullable JsonNode values) {}

  /** The result of a decision: every later decision gets the first one. */
  record Receipt(
      String state,
      boolean first,
      ApprovalView.@Nullable DecisionView decision,
      @Nullable Instant at) {
    static Receipt of(Approvals.Receipt receipt) {
      return new Receipt(
          receipt.state().word(),
          receipt.isFirst(),
          ApprovalView.DecisionView.of(receipt.decision()),
          receipt.at());
    }
  }

  private static RouteAnswer decide(Call call) {
    DecisionBody body = call.json(DecisionBody.class);
    Hapax hapax = Space.of(call);
    Approvals.Item item = item(hapax.approvals(), call.path("id"));
    JsonNode values = body.values();
    var verdict =
        new Verdict(
            choice(body.decision()),
            call.actor().name(),
            java.util.Set.copyOf(rolesOf(call.actor(), item)),
            body.comment(),
            values == null ? null : Json.write(values),
            call.actor().id(),
            false);
    Approvals.Receipt receipt = hapax.approvals().decide(item.id(), verdict);
    if (receipt.state() == WaitState.CLOSED) {
      throw Problem.notPossible(
          "approval %s is closed: run %s no longer needs it, because it is to end or has ended. It was not decided, and this decision changed nothing."
              .formatted(item.id(), item.run()));
    }
    return RouteAnswer.ok(Receipt.of(receipt));
  }

  static Decision.Choice choice(@Nullable String word) {
    return Arrays.stream(Decision.Choice.values())
        .filter(choice -> choice.word().equals(word))
        .findFirst()
        .orElseThrow(
            () ->
                Problem.invalidInput(
                    "decision: expected approve, reject or rework, got "
                        + (word == null ? "nothing" : "'" + word + "'")));
  }
}
