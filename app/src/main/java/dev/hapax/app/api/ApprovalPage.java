package dev.hapax.app.api;

import dev.hapax.Approvals;
import dev.hapax.Hapax;
import dev.hapax.Verdict;
import dev.hapax.app.http.Answer;
import dev.hapax.app.http.Call;
import dev.hapax.app.http.Route;
import dev.hapax.app.http.Scope;
import dev.hapax.app.http.Tenants;
import dev.hapax.flow.Decision;
import dev.hapax.run.Wait;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The page behind an approval link. The link is the credential. GET only shows the page, so a mail
 * scanner that follows the link decides nothing; POST decides.
 */
public final class ApprovalPage {
  private static final String REWORK =
      " <button name=\"decision\" value=\"rework\">Send back</button>";

  private final Hapax hapax;
  private final Tenants tenants;

  /**
   * The page for the approvals of all tenants.
   *
   * @param hapax as it was opened
   */
  public ApprovalPage(Hapax hapax, Tenants tenants) {
    this.hapax = hapax;
    this.tenants = tenants;
  }

  /** Returns its routes. */
  public List<Route> routes() {
    return List.of(
        Route.get("/approvals/{link}", Scope.PUBLIC, "The page behind an approval link", this::show)
            .givesText("text/html"),
        Route.post(
                "/approvals/{link}",
                Scope.PUBLIC,
                "Decide on the page of an approval",
                this::decide)
            .takes("application/x-www-form-urlencoded")
            .givesText("text/html"));
  }

  private Answer show(Call call) {
    return page(hapax.approvals().linked(call.path("link")).item());
  }

  private Answer decide(Call call) {
    Approvals.Linked linked = hapax.approvals().linked(call.path("link"));
    Map<String, String> form = call.form();
    String name = Runs.needed("name", form.get("name"));
    String comment = form.get("comment");
    var verdict =
        new Verdict(
            ApprovalDesk.choice(form.get("decision")),
            name + " (by link)",
            Set.copyOf(linked.item().roles()),
            comment == null || comment.isBlank() ? null : comment,
            null);
    Approvals approvals = tenants.hapax(linked.tenant()).approvals();
    if (linked.item().state() == Wait.State.OPEN) {
      approvals.decide(linked.item().id(), verdict);
    }
    return page(approvals.get(linked.item().id()));
  }

  private static Answer page(Approvals.Item item) {
    String below =
        item.state() == Wait.State.OPEN
            ? form(item)
            : "<p>%s</p>".formatted(escaped(decided(item)));
    String text =
        """
        <!doctype html>
        <html lang="en">
        <head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Approval</title></head>
        <body>
        <h1>%s</h1>
        <p>Run %s, step %s</p>
        %s
        </body>
        </html>
        """
            .formatted(escaped(item.ask()), escaped(item.run()), escaped(item.step()), below);
    return Answer.text(text, "text/html; charset=utf-8")
        .header(
            "Content-Security-Policy",
            "default-src 'none'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'")
        .header("Referrer-Policy", "no-referrer")
        .header("X-Content-Type-Options", "nosniff")
        .header("Cache-Control", "no-store");
  }

  private static String form(Approvals.Item item) {
    return """
      <form method="post">
      <p><label>Your name <input name="name" required maxlength="200"></label></p>
      <p><label>Comment <textarea name="comment" maxlength="5000"></textarea></label></p>
      <p><button name="decision" value="approve">Approve</button> <button name="decision" value="reject">Reject</button>%s</p>
      </form>
      """
        .formatted(item.canRework() ? REWORK : "");
  }

  private static String decided(Approvals.Item item) {
    Decision decision = item.decision();
    if (decision == null) {
      return "This needs no decision any more: it is " + item.state().word() + ".";
    }
    String by = decision.by() == null ? "" : " by " + decision.by();
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
