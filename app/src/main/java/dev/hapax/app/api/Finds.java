package dev.hapax.app.api;

import dev.hapax.Found;
import dev.hapax.Hapax;
import dev.hapax.app.http.Call;
import dev.hapax.app.http.FlowSubject;
import dev.hapax.app.http.Problem;
import dev.hapax.app.http.Route;
import dev.hapax.app.http.RouteAnswer;
import dev.hapax.app.http.TokenScope;
import dev.hapax.app.wire.FoundView;
import dev.hapax.app.wire.Page;
import dev.hapax.flow.Run;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds everything that a text may mean. A token sees only the kinds and flows that it may read.
 */
public final class Finds {
  private static final int MOST_FLOWS = 10;

  private final StartableFlows flows;

  public Finds(StartableFlows flows) {
    this.flows = flows;
  }

  /** Returns its routes. */
  public List<Route> routes() {
    return List.of(
        Route.get(
                "/api/find",
                TokenScope.RUNS_READ,
                "Find runs, effects, events, approvals and flows by any id, key or searchable value",
                this::find)
            .about(FlowSubject.LISTED)
            .query("q", "The text, or its beginning.")
            .query("draft", "With true, looks among drafts instead.")
            .givesPage(FoundView.class));
  }

  private RouteAnswer find(Call call) {
    call.allowQuery("q", Space.DRAFT, "limit", "after");
    String text = call.query("q");
    if (text == null) {
      throw Problem.invalidInput("q: expected a text to find, got nothing");
    }
    Hapax hapax = Space.of(call);
    List<FoundView> items = new ArrayList<>();
    for (Found hit : found(hapax, text.strip())) {
      String flow = flowOf(hapax, hit.what());
      boolean isVisible = call.actor().flows().isAll() || (flow != null && call.mayUse(flow));
      if (call.actor().may(scopeOf(hit.what())) && isVisible) {
        items.add(FoundView.of(hit, flow));
      }
    }
    if (call.actor().may(TokenScope.FLOWS_READ)) {
      items.addAll(flows(call, text.strip()));
    }
    items.sort(Comparator.comparing(item -> !item.exact())); // keeps the order of equals
    return RouteAnswer.ok(page(items, seen(call.query("after")), call.limit()));
  }

  /** All hits are found at once, so the cursor is how many a caller has seen. */
  private static Page<FoundView> page(List<FoundView> items, int seen, int limit) {
    List<FoundView> left = items.subList(Math.min(seen, items.size()), items.size());
    boolean isLast = left.size() <= limit;
    return new Page<>(
        isLast ? left : left.subList(0, limit), isLast ? null : Integer.toString(seen + limit));
  }

  private static int seen(@Nullable String after) {
    if (after == null) {
      return 0;
    }
    if (!after.matches("\\d{1,6}")) {
      throw Problem.invalidInput(
          "after: expected the 'next' of an earlier answer, got '%s'".formatted(after));
    }
    return Integer.parseInt(after);
  }

  private static List<Found> found(Hapax hapax, String text) {
    try {
      return hapax.find(text);
    } catch (IllegalArgumentException e) {
      throw Problem.invalidInput("q: " + e.getMessage());
    }
  }

  private List<FoundView> flows(Call call, String text) {
    return flows.beginningWith(call.actor().tenant(), text, MOST_FLOWS).stream()
        .filter(call::mayUse)
        .map(name -> FoundView.ofFlow(name, name.equals(text)))
        .toList();
  }

  private static TokenScope scopeOf(Found.What what) {
    return switch (what) {
      case Found.What.OfRun _, Found.What.OfCallback _ -> TokenScope.RUNS_READ;
      case Found.What.OfEffect _ -> TokenScope.EFFECTS_READ;
      case Found.What.OfEvent _ -> TokenScope.INBOX_READ;
      case Found.What.OfApproval _ -> TokenScope.APPROVALS_READ;
    };
  }

  private static @Nullable String flowOf(Hapax hapax, Found.What what) {
    return switch (what) {
      case Found.What.OfRun(var run) -> run.flow();
      case Found.What.OfCallback(var _, var run) -> run.flow();
      case Found.What.OfApproval(var _, var run) -> run.flow();
      case Found.What.OfEvent(var event) -> event.flow();
      case Found.What.OfEffect(var effect) -> {
        Run owner = hapax.findRun(effect.run());
        yield owner == null ? null : owner.flow();
      }
    };
  }
}
