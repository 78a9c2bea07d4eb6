package dev.hapax.app.access;

import dev.hapax.Hapax;
import dev.hapax.app.http.Call;
import dev.hapax.app.http.Problem;
import dev.hapax.app.http.Route;
import dev.hapax.app.http.RouteAnswer;
import dev.hapax.app.http.TokenScope;
import dev.hapax.app.wire.Page;
import dev.hapax.flow.Restored;
import dev.hapax.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The audit log of the caller's tenant over HTTP. */
public final class AuditRoutes {
  private static final int PAGE = 200;

  private final AuditLog log;
  private final RefusalLog refusals;
  private final CheckpointSigner signer;
  private final Hapax opened;

  AuditRoutes(AuditLog log, RefusalLog refusals, CheckpointSigner signer, Hapax opened) {
    this.log = log;
    this.refusals = refusals;
    this.signer = signer;
    this.opened = opened;
  }

  /** The last line of an export, which shows that it is complete. */
  private record ExportEnd(AuditCheckpoint checkpoint) {}

  public List<Route> routes() {
    return List.of(
        Route.get("/api/audit", TokenScope.ADMIN, "List the audit log, oldest first", this::list)
            .givesPage(AuditEntry.class),
        Route.get(
                "/api/audit/verification",
                TokenScope.ADMIN,
                "Check that the audit log was not changed",
                call -> RouteAnswer.ok(withGaps(log.verify(tenant(call)))))
            .gives(200, AuditLog.Verified.class),
        Route.post(
                "/api/audit/verification",
                TokenScope.ADMIN,
                "Check the audit log against a checkpoint that was kept elsewhere",
                this::verify)
            .takes(AuditCheckpoint.class)
            .gives(200, AuditLog.Verified.class),
        Route.get(
                "/api/audit/checkpoint",
                TokenScope.ADMIN,
                "Get a signed statement about the end of the audit log, to keep elsewhere",
                call -> RouteAnswer.ok(checkpoint(tenant(call))))
            .gives(200, AuditCheckpoint.class),
        Route.get(
                "/api/audit/export",
                TokenScope.ADMIN,
                "Export the audit log, a line of JSON each, with a checkpoint as the last line",
                this::export)
            .query("after", "The number of the last line that you have.")
            .givesText("application/x-ndjson"));
  }

  /** Returns the tenant whose log is read; counted refusals are written first. */
  private String tenant(Call call) {
    refusals.flush();
    return call.actor().tenant();
  }

  private AuditCheckpoint checkpoint(String tenant) {
    AuditLog.End end = log.end(tenant);
    return signer.sign(store(), tenant, end.number(), end.mark());
  }

  private String store() {
    return Long.toString(opened.storeId(), Character.MAX_RADIX);
  }

  private RouteAnswer verify(Call call) {
    AuditCheckpoint given = call.json(AuditCheckpoint.class);
    if (Stream.of(given.store(), given.tenant(), given.mark(), given.at(), given.key())
            .anyMatch(Objects::isNull)
        || given.signature() == null) {
      throw Problem.invalidInput("body: expected a checkpoint, as GET /api/audit/checkpoint gives");
    }
    String tenant = tenant(call);
    String problem = problemOf(given, tenant);
    AuditLog.Verified verified = log.verify(tenant, problem == null ? given : null);
    return RouteAnswer.ok(
        withGaps(
            problem == null
                ? verified
                : verified.with(new AuditLog.Finding(given.number(), problem))));
  }

  private @Nullable String problemOf(AuditCheckpoint given, String tenant) {
    if (!signer.isOurs(given)) {
      return "the checkpoint of %s was not signed by this server: it was changed, or the vault of the server is another one"
          .formatted(given.at());
    }
    if (!given.tenant().equals(tenant)) {
      return "the checkpoint belongs to another tenant";
    }
    return given.store().equals(store()) || opened.copiedAt() != null
        ? null
        : "the checkpoint belongs to the store %s, but this is the store %s"
            .formatted(given.store(), store());
  }

  private RouteAnswer export(Call call) {
    call.allowQuery("after");
    long after = number(call.query("after"));
    String tenant = tenant(call);
    return RouteAnswer.stream(
        sink -> {
          AuditCheckpoint end = checkpoint(tenant);
          long last = after;
          while (last < end.number() && !sink.isClosing()) {
            List<AuditEntry> page = log.list(tenant, last, PAGE);
            if (page.isEmpty()) {
              return; // lines were removed: an export without its last line is incomplete
            }
            last = page.getLast().number();
            sink.send(lines(page, end.number()));
          }
          if (last >= end.number()) {
            sink.send(Json.write(new ExportEnd(end)) + "\n");
          }
        },
        "application/x-ndjson");
  }

  private static String lines(List<AuditEntry> page, long last) {
    var text = new StringBuilder();
    for (AuditEntry entry : page) {
      if (entry.number() <= last) {
        text.append(Json.write(entry)).append('\n');
      }
    }
    return text.toString();
  }

  /** Adds the gaps: a restored store lacks the lines that were written after its copy was made. */
  private AuditLog.Verified withGaps(AuditLog.Verified verified) {
    List<AuditLog.Gap> gaps = new ArrayList<>();
    opened.restores().forEach(one -> gaps.add(new AuditLog.Gap(one.lostSince(), one.notedAt())));
    Restored now = opened.restored();
    if (now != null) {
      gaps.add(new AuditLog.Gap(now.lostSince(), null));
    }
    return verified.with(gaps);
  }

  private RouteAnswer list(Call call) {
    call.allowQuery("after", "limit");
    List<AuditEntry> found = log.list(tenant(call), number(call.query("after")), call.limit() + 1);
    return RouteAnswer.ok(
        Page.of(
            found, call.limit(), UnaryOperator.identity(), entry -> Long.toString(entry.number())));
  }

  private static long number(@Nullable String after) {
    try {
      return after == null ? 0 : Long.parseLong(after);
    } catch (NumberFormatException e) {
      throw Problem.invalidInput("after: expected the number of a line, got '%s'".formatted(after));
    }
  }
}
