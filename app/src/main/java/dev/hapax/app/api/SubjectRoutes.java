package dev.hapax.app.api;

import dev.hapax.ErasureWish;
import dev.hapax.Hapax;
import dev.hapax.SubjectErasure;
import dev.hapax.SubjectPlan;
import dev.hapax.SubjectRecord;
import dev.hapax.Subjects;
import dev.hapax.app.http.Call;
import dev.hapax.app.http.Problem;
import dev.hapax.app.http.Route;
import dev.hapax.app.http.RouteAnswer;
import dev.hapax.app.http.ShortList;
import dev.hapax.app.http.TokenScope;
import dev.hapax.flow.NotFound;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * {@code /api/subjects}: plans, exports and erases what is stored about a person. The id of the
 * person is in the body, never in the address: addresses are written into logs.
 */
public final class SubjectRoutes {
  private static final String OPERATOR = "default";

  private final Hapax all;

  public SubjectRoutes(Hapax all) {
    this.all = all;
  }

  public List<Route> routes() {
    return List.of(
        Route.post(
                "/api/subjects/plan",
                TokenScope.SUBJECTS_READ,
                "Get what the erasure of a person would do now",
                SubjectRoutes::plan)
            .takes(SubjectBody.class)
            .gives(200, PlanView.class),
        Route.post(
                "/api/subjects/export",
                TokenScope.SUBJECTS_READ,
                "Get everything that is stored about a person",
                SubjectRoutes::export)
            .takes(SubjectBody.class)
            .gives(200, ExportView.class),
        Route.post(
                "/api/subjects/erase",
                TokenScope.SUBJECTS_ERASE,
                "Erase what is stored about a person; this cannot be undone",
                SubjectRoutes::erase)
            .takes(EraseBody.class)
            .gives(202, SubjectErasure.class),
        Route.get(
                "/api/subjects/erasures",
                TokenScope.SUBJECTS_READ,
                "List the latest erasures of this tenant, the newest first",
                SubjectRoutes::list)
            .givesPage(SubjectErasure.class),
        Route.get(
                "/api/subjects/erasures/{id}",
                TokenScope.SUBJECTS_READ,
                "Get an erasure",
                SubjectRoutes::show)
            .gives(200, SubjectErasure.class),
        Route.get(
                "/api/erasure-list",
                TokenScope.ADMIN,
                "Get the erasures of all tenants as lines of JSON, to be kept for a restore",
                this::lines)
            .givesText("application/x-ndjson"));
  }

  /**
   * @param id of the person
   * @param scan whether every run of the tenant is read for the id
   */
  private record SubjectBody(@Nullable String id, @Nullable Boolean scan) {}

  /**
   * @param reason without personal data: it is kept
   * @param externalIds whether the ids that destinations gave are erased too
   */
  private record EraseBody(
      @Nullable String id,
      @Nullable String reason,
      @Nullable Boolean scan,
      @Nullable Boolean externalIds) {}

  private record PlanView(
      long ready,
      long postponed,
      long events,
      List<SubjectPlan.PlannedErasure> runs,
      List<SubjectErasure> earlier) {}

  private record ExportView(List<SubjectRecord> records) {}

  private static RouteAnswer plan(Call call) {
    SubjectBody body = call.json(SubjectBody.class);
    SubjectPlan plan =
        checked(
            () ->
                call.hapax()
                    .subjects()
                    .plan(id(body.id()), new ErasureWish(isTrue(body.scan()), false)));
    return RouteAnswer.ok(
        new PlanView(
            plan.runs().size() - plan.postponed(),
            plan.postponed(),
            plan.events(),
            plan.runs(),
            plan.earlier()));
  }

  private static RouteAnswer export(Call call) {
    SubjectBody body = call.json(SubjectBody.class);
    Subjects.FoundRecords found =
        checked(() -> call.hapax().subjects().exportOf(id(body.id()), isTrue(body.scan())));
    return RouteAnswer.stream(sink -> send(found, sink), "application/json");
  }

  /**
   * Writes an ExportView record by record: all that is known about a person may not fit in memory.
   */
  private static void send(Subjects.FoundRecords found, RouteAnswer.Sink sink) throws IOException {
    sink.send("{\"records\":[");
    var isFirst = new AtomicBoolean(true);
    found.to(
        record -> {
          if (sink.isClosing()) {
            throw new IllegalStateException("the server is closing: the export ends early");
          }
          try {
            if (!isFirst.getAndSet(false)) {
              sink.send(",");
            }
            sink.sendJson(record);
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        });
    sink.send("]}");
  }

  private static RouteAnswer erase(Call call) {
    EraseBody body = call.json(EraseBody.class);
    String reason = body.reason();
    if (reason == null || reason.isBlank()) {
      throw Problem.invalidInput(
          "reason: expected why the person's data is erased, without personal data");
    }
    SubjectErasure begun =
        checked(
            () ->
                call.hapax()
                    .subjects()
                    .erase(
                        id(body.id()),
                        call.actor().name(),
                        reason,
                        new ErasureWish(isTrue(body.scan()), isTrue(body.externalIds()))));
    return RouteAnswer.of(202, begun);
  }

  private static RouteAnswer list(Call call) {
    call.allowQuery("limit", "after");
    return RouteAnswer.ok(ShortList.of(call, call.hapax().subjects().erasures()));
  }

  /** A malformed id counts as not found. */
  private static RouteAnswer show(Call call) {
    call.allowQuery();
    try {
      return RouteAnswer.ok(call.hapax().subjects().erasure(call.path("id")));
    } catch (IllegalArgumentException | NotFound e) {
      throw Problem.notFound("there is no erasure '%s'".formatted(call.path("id")));
    }
  }

  private RouteAnswer lines(Call call) {
    call.allowQuery();
    if (!call.actor().tenant().equals(OPERATOR)) {
      throw Problem.forbidden(
          "the list holds all tenants: only an admin of tenant '%s' may read it"
              .formatted(OPERATOR));
    }
    String text = String.join("\n", all.subjects().erasureList());
    return RouteAnswer.text(text.isEmpty() ? "" : text + "\n", "application/x-ndjson");
  }

  private static String id(@Nullable String id) {
    if (id == null) {
      throw Problem.invalidInput("id: expected the id of the person, got nothing");
    }
    return id;
  }

  private static boolean isTrue(@Nullable Boolean flag) {
    return Boolean.TRUE.equals(flag);
  }

  /** A value that the engine refuses. */
  private interface Wish<T> {
    T get();
  }

  private static <T> T checked(Wish<T> wish) {
    try {
      return wish.get();
    } catch (IllegalArgumentException e) {
      throw Problem.invalidInput(String.valueOf(e.getMessage()));
    }
  }
}
