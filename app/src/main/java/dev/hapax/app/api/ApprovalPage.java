package dev.hapax.app.api;

import dev.hapax.Approvals;
import dev.hapax.Hapax;
import dev.hapax.Verdict;
import dev.hapax.app.http.Actor;
import dev.hapax.app.http.AuditTrail;
import dev.hapax.app.http.Authenticator;
import dev.hapax.app.http.Call;
import dev.hapax.app.http.Problem;
import dev.hapax.app.http.Route;
import dev.hapax.app.http.RouteAnswer;
import dev.hapax.app.http.Tenants;
import dev.hapax.app.http.TokenScope;
import dev.hapax.flow.Decision;
import dev.hapax.flow.Forbidden;
import dev.hapax.flow.NotPossible;
import dev.hapax.flow.WaitState;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The page behind an approval link. The link is the credential. GET only shows the page, so a mail
 * scanner that follows the link decides nothing; POST decides.
 */
public final class ApprovalPage {
  private static final String NAME =
      "<p><label>Your name <input name=\"name\" required maxlength=\"200\"></label></p>";

  /** A link alone decides nothing: it does not prove who uses it. */
  private static final String TOKEN =
      "<p><label>Your token <input name=\"token\" type=\"password\" required maxlength=\"200\""
          + " autocomplete=\"off\"></label></p>";

  private static final String REWORK =
      " <button name=\"decision\" value=\"rework\">Send back</button>";

  private final Hapax hapax;
  private final Tenants tenants;
  private final Authenticator access;
  private final AuditTrail audit;

  /**
   * The page for the approvals of all tenants.
   *
   * @param hapax as it was opened
   * @param access finds the owner of a token that a person types on the page
   */
  public ApprovalPage(Hapax hapax, Tenants tenants, Authenticator access, AuditTrail audit) {
    this.hapax = hapax;
    this.tenants = tenants;
    this.access = access;
    this.audit = audit;
  }

  /** Returns its routes. */
  public List<Route> routes() {
    return List.of(
        Route.get(
                "/approvals/{link}",
                TokenScope.PUBLIC,
                "Show the page of an approval link",
                this::show)
            .givesText("text/html"),
        Route.post(
                "/approvals/{link}",
                TokenScope.PUBLIC,
                "Decide an approval on its page",
                this::decide)
            .takes("application/x-www-form-urlencoded")
            .givesText("text/html"));
  }

  private RouteAnswer show(Call call) {
    Approvals.Linked linked = hapax.approvals().linked(call.path("link"));
    Approvals.Item item = linked.item();
    return item == null ? notAsked(linked) : page(item, linked.approver());
  }

  private RouteAnswer decide(Call call) {
    Approvals.Linked linked = hapax.approvals().linked(call.path("link"));
    Approvals.Item item = linked.item();
    if (item == null) {
      throw new NotPossible(
          "run %s has not asked for this approval yet, so nothing was decided. Open the link again in a moment"
              .formatted(linked.run()));
    }
    Map<String, String> form = call.form();
    Actor actor = actor(linked, form);
    Verdict verdict = verdict(linked, item, form, actor);
    Approvals approvals = tenants.hapax(linked.tenant()).approvals();
    if (item.state() == WaitState.OPEN) {
      var line = line(linked.tenant(), item, call, actor, verdict);
      audit.append(line);
      try {
        approvals.decide(item.id(), verdict);
      } catch (RuntimeException e) {
        audit.append(line.refused(e));
        throw e;
      }
    }
    return page(approvals.get(item.id()), linked.approver());
  }

  /** Returns null if the form has no token: then the name in it is only claimed. */
  private @Nullable Actor actor(Approvals.Linked linked, Map<String, String> form) {
    String token = form.get("token");
    if (token == null || token.isBlank()) {
      return null;
    }
    Actor actor = access.actor(token.strip());
    if (actor == null || !actor.tenant().equals(linked.tenant())) {
      throw Problem.unauthorized("the token is unknown, expired or revoked");
    }
    if (!actor.may(TokenScope.APPROVALS_DECIDE)) {
      throw Problem.forbidden(
          "the token of '%s' does not allow '%s'"
              .formatted(actor.name(), TokenScope.APPROVALS_DECIDE.word()));
    }
    return actor;
  }

  private static Verdict verdict(
      Approvals.Linked linked,
      Approvals.Item item,
      Map<String, String> form,
      @Nullable Actor actor) {
    String comment = form.get("comment");
    String said = comment == null || comment.isBlank() ? null : comment;
    Decision.Choice choice = ApprovalDesk.choice(form.get("decision"));
    if (actor != null) {
      Set<String> roles = Set.copyOf(ApprovalDesk.rolesOf(actor, item));
      return new Verdict(choice, actor.name(), roles, said, null, actor.id(), false);
    }
    if (item.limits().needsProof()) {
      throw new Forbidden(
          "approval %s needs the token of the person who decides: a link does not prove who uses it. Nothing was decided"
              .formatted(item.id()));
    }
    String approver = linked.approver();
    String name = approver == null ? Runs.needed("name", form.get("name")) : approver;
    return new Verdict(choice, name + " (by link)", Set.copyOf(item.roles()), said, null).claimed();
  }

  /** Never the link itself, which is a credential. */
  private static AuditTrail.Line line(
      String tenant, Approvals.Item item, Call call, @Nullable Actor actor, Verdict verdict) {
    String target =
        "id=%s, decision=%s%s"
            .formatted(
                item.id(), verdict.decision().word(), actor == null ? ", identity claimed" : "");
    return new AuditTrail.Line(
        tenant,
        verdict.actor(),
        actor == null ? null : actor.id(),
        call.remoteAddress(),
        "POST /approvals/{link}",
        target,
        "asked");
  }

  /** The flow sends the link in a step before the one that asks. */
  private RouteAnswer notAsked(Approvals.Linked linked) {
    boolean isOver = tenants.hapax(linked.tenant()).run(linked.run()).status().isEnd();
    return isOver
        ? page(
            "Nothing is asked",
            "Run " + linked.run(),
            "<p>The run has ended without asking for this approval.</p>")
        : page(
            "Nothing is asked yet",
            "Run " + linked.run(),
            "<p>The run has not reached this approval. Open the link again in a moment.</p>");
  }

  private static RouteAnswer page(Approvals.Item item, @Nullable String approver) {
    String below =
        item.state() == WaitState.OPEN
            ? form(item, approver)
            : "<p>%s</p>".formatted(escaped(decided(item)));
    return page(item.ask(), "Run %s, step %s".formatted(item.run(), item.step()), below);
  }

  /**
   * @param below what comes below title and place, as HTML
   */
  private static RouteAnswer page(String title, String place, String below) {
    String text =
        """
        <!doctype html>
        <html lang="en">
        <head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Approval</title></head>
        <body>
        <h1>%s</h1>
        <p>%s</p>
        %s
        </body>
        </html>
        """
            .formatted(escaped(title), escaped(place), below);
    return RouteAnswer.text(text, "text/html; charset=utf-8")
        .header(
            "Content-Security-Policy",
            "default-src 'none'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'")
        .header("Referrer-Policy", "no-referrer")
        .header("Cache-Control", "no-store");
  }

  private static String form(Approvals.Item item, @Nullable String approver) {
    String who =
        item.limits().needsProof()
            ? TOKEN
            : approver == null ? NAME : "<p>You decide as %s.</p>".formatted(escaped(approver));
    return """
      <form method="post">
      %s
      <p><label>Comment <textarea name="comment" maxlength="5000"></textarea></label></p>
      <p><button name="decision" value="approve">Approve</button> <button name="decision" value="reject">Reject</button>%s</p>
      </form>
      """
        .formatted(who, item.canRework() ? REWORK : "");
  }

  private static String decided(Approvals.Item item) {
    Decision decision = item.decision();
    if (decision == null) {
      return "This approval needs no decision any more: it is " + item.state().word() + ".";
    }
    String by = decision.by() == null ? "" : " by " + decision.by();
    by += decision.onlyClaims() ? ", an identity that is claimed and not proven" : "";
    return "Decided: %s%s%s".formatted(decision.decision().word(), by, comment(decision.comment()));
  }

  private static String comment(@Nullable String comment) {
    return comment == null ? "." : ": " + comment;
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;")
        .replace("'", "&#39;");
  }
}
