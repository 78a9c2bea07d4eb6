package dev.hapax.app.desk;

import dev.hapax.Hapax;
import dev.hapax.app.http.AuditTrail;
import dev.hapax.app.http.Call;
import dev.hapax.app.http.FlowSubject;
import dev.hapax.app.http.Problem;
import dev.hapax.app.http.Route;
import dev.hapax.app.http.RouteAnswer;
import dev.hapax.app.http.TokenScope;
import dev.hapax.app.wire.Page;
import dev.hapax.flow.EffectFilter;
import dev.hapax.flow.EffectRecord;
import dev.hapax.flow.EffectState;
import dev.hapax.flow.ReviewCause;
import dev.hapax.flow.Run;
import dev.hapax.time.Clock;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The review desk over HTTP: reviews with their evidence, their causes, assignees and comments. */
public final class ReviewRoutes {
  private static final int READ_AT_ONCE = 200;

  /** A filter that finds little reads at most this many reviews for one page. */
  private static final int MOST_READ = 2_000;

  private final ReviewBook book;
  private final ReviewSettling settling;
  private final Clock clock;

  public ReviewRoutes(ReviewBook book, AuditTrail audit, Clock clock) {
    this.book = book;
    this.settling = new ReviewSettling(audit);
    this.clock = clock;
  }

  public List<Route> routes() {
    return List.of(
        Route.get(
                "/api/reviews",
                TokenScope.EFFECTS_READ,
                "List effects in review with their evidence, newest first",
                this::list)
            .about(FlowSubject.LISTED)
            .query("name", "The effect's name.")
            .query("key", "Its business key.")
            .query("keyPrefix", "Only effects whose business key begins with this.")
            .query("externalId", "Its id at the destination.")
            .query("wireKey", "The key that was sent to the destination.")
            .query("run", "Only effects that this run has claimed.")
            .query("flow", "Only reviews of this flow.")
            .query("cause", "Only reviews with this cause, see `/api/reviews/causes`.")
            .query("assignee", "Only reviews of this person.")
            .givesPage(ReviewView.class),
        Route.get(
                "/api/reviews/causes",
                TokenScope.EFFECTS_READ,
                "Group reviews by flow, step, destination and error",
                this::causes)
            .about(FlowSubject.LISTED)
            .gives(200, ReviewQueue.Causes.class)
            .paged(),
        settling.route(),
        Route.get(
                "/api/reviews/{id}",
                TokenScope.EFFECTS_READ,
                "Get a review with all its evidence",
                this::get)
            .about(DeskEffects.inPath("id"))
            .gives(200, ReviewView.class),
        Route.post(
                "/api/reviews/{id}/assign",
                TokenScope.EFFECTS_SETTLE,
                "Assign a review to a person",
                this::assign)
            .about(DeskEffects.inPath("id"))
            .takes(AssignBody.class)
            .gives(200, ReviewView.class),
        Route.post(
                "/api/reviews/{id}/comments",
                TokenScope.EFFECTS_SETTLE,
                "Comment on a review",
                this::comment)
            .about(DeskEffects.inPath("id"))
            .takes(CommentBody.class)
            .gives(200, ReviewView.class));
  }

  /** Null takes the review from the one who has it. */
  private record AssignBody(@Nullable String assignee) {}

  private record CommentBody(@Nullable String text) {}

  private RouteAnswer list(Call call) {
    call.allowQuery(
        "name",
        "key",
        "keyPrefix",
        "externalId",
        "wireKey",
        "run",
        "flow",
        "cause",
        "assignee",
        "limit",
        "after");
    int limit = call.limit();
    Hapax hapax = call.hapax();
    var queue = new ReviewQueue(hapax, book, clock);
    EffectFilter filter = filter(call, hapax);
    Long before = ReviewCursor.after(call);
    var found = new ArrayList<EffectRecord>();
    for (int read = 0; read < MOST_READ; ) {
      List<EffectRecord> rows = hapax.effects(before == null ? filter : filter.before(before));
      for (EffectRecord row : rows) {
        if (found.size() == limit) {
          return RouteAnswer.ok(new Page<>(queue.items(found), ReviewCursor.of(before)));
        }
        before = row.number();
        if (isWanted(call, hapax, row)) {
          found.add(row);
        }
      }
      read += rows.size();
      if (rows.size() < filter.limit()) {
        return RouteAnswer.ok(new Page<>(queue.items(found), null));
      }
    }
    return RouteAnswer.ok(new Page<>(queue.items(found), ReviewCursor.of(before)));
  }

  private static EffectFilter filter(Call call, Hapax hapax) {
    EffectFilter filter = hapax.effects().state(EffectState.REVIEW).limit(READ_AT_ONCE);
    String name = call.query("name");
    filter = name == null ? filter : filter.name(name);
    String key = call.query("key");
    filter = key == null ? filter : filter.key(key);
    String prefix = call.query("keyPrefix");
    filter = prefix == null ? filter : filter.keyPrefix(prefix);
    String external = call.query("externalId");
    filter = external == null ? filter : filter.externalId(external);
    String wire = call.query("wireKey");
    filter = wire == null ? filter : filter.wireKey(wire);
    String run = call.query("run");
    return run == null ? filter : filter.of(run(call, hapax, run));
  }

  private static Run run(Call call, Hapax hapax, String id) {
    try {
      Run run = hapax.run(id);
      if (call.mayUse(run.flow())) {
        return run;
      }
    } catch (IllegalArgumentException e) {
      // falls through to the one message
    }
    throw Problem.notFound("there is no run '%s'".formatted(id));
  }

  private boolean isWanted(Call call, Hapax hapax, EffectRecord row) {
    Run owner = hapax.findRun(row.run());
    String flow = call.query("flow");
    String cause = call.query("cause");
    String assignee = call.query("assignee");
    return DeskEffects.isFor(call, owner)
        && (flow == null || (owner != null && flow.equals(owner.flow())))
        && (cause == null || cause.equals(ReviewCause.of(row, owner).id()))
        && (assignee == null || assignee.equals(book.of(row).assignee()));
  }

  private RouteAnswer causes(Call call) {
    call.allowQuery("limit", "after");
    return RouteAnswer.ok(new ReviewQueue(call.hapax(), book, clock).causes(call));
  }

  private RouteAnswer get(Call call) {
    return answer(call.hapax(), DeskEffects.effect(call.hapax(), call.path("id")));
  }

  private RouteAnswer answer(Hapax hapax, EffectRecord row) {
    return RouteAnswer.ok(new ReviewQueue(hapax, book, clock).whole(row));
  }

  private RouteAnswer assign(Call call) {
    AssignBody body = call.json(AssignBody.class);
    EffectRecord row = DeskEffects.effect(call.hapax(), call.path("id"));
    String person = body.assignee();
    if (person != null && (person.isBlank() || person.length() > ReviewNotes.LONGEST_NAME)) {
      throw Problem.invalidInput(
          "assignee: expected a name of 1 to %d characters, or null"
              .formatted(ReviewNotes.LONGEST_NAME));
    }
    if (row.state() != EffectState.REVIEW) {
      throw Problem.notPossible(
          "effect %s is %s; only one in review can be assigned"
              .formatted(row.id(), row.state().word()));
    }
    book.assign(row, person);
    return answer(call.hapax(), row);
  }

  private RouteAnswer comment(Call call) {
    String text = call.json(CommentBody.class).text();
    EffectRecord row = DeskEffects.effect(call.hapax(), call.path("id"));
    if (text == null || text.isBlank() || text.length() > ReviewNotes.LONGEST_COMMENT) {
      throw Problem.invalidInput(
          "text: expected 1 to %,d characters".formatted(ReviewNotes.LONGEST_COMMENT));
    }
    book.comment(row, call.actor().name(), text);
    return answer(call.hapax(), row);
  }
}
