package dev.hapax.app.access;

import dev.hapax.app.http.Actor;
import dev.hapax.app.http.AuditTrail;
import dev.hapax.app.http.RefusalWatch;
import dev.hapax.app.http.Route;
import dev.hapax.app.http.TokenScope;
import dev.hapax.flow.NotFound;
import dev.hapax.flows.FlowFiles;
import dev.hapax.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts refused requests, and writes the counts into the audit log once a minute: one line per
 * caller, address and problem, and a bounded number of lines, so that an attacker cannot fill the
 * log. A crash may lose the counts of the last minute. Safe for many threads.
 */
final class RefusalLog implements RefusalWatch {
  private static final Logger log = LoggerFactory.getLogger(RefusalLog.class);
  static final Duration WINDOW = Duration.ofMinutes(1);

  /** Of the lines of one minute; everything else is counted together. */
  static final int MOST_LINES = 20;

  private final AuditTrail audit;
  private final Clock clock;
  private Map<AuditTrail.Line, Integer> counts = new LinkedHashMap<>();
  private @Nullable Instant since;

  RefusalLog(AuditTrail audit, Clock clock) {
    this.audit = audit;
    this.clock = clock;
  }

  @Override
  public void refused(Refused refused) {
    AuditTrail.Line line = lineOf(refused);
    if (line != null) {
      count(line);
    }
  }

  /** Counts one refusal. */
  synchronized void count(AuditTrail.Line line) {
    if (since == null) {
      since = clock.now();
    }
    add(line, 1);
  }

  private void add(AuditTrail.Line line, int count) {
    boolean hasRoom = counts.containsKey(line) || counts.size() < MOST_LINES;
    counts.merge(hasRoom ? line : others(line.outcome()), count, Integer::sum);
  }

  /** At most one more line per problem. */
  private static AuditTrail.Line others(String outcome) {
    return new AuditTrail.Line(TenantBook.OPERATOR, "others", null, null, "requests", "", outcome);
  }

  /** Null if it is not counted. */
  private static AuditTrail.@Nullable Line lineOf(Refused refused) {
    return switch (refused.problem().status()) {
      case 401 -> inLogOfOperator(refused, "");
      case 403 -> forbidden(refused);
      case 404 -> notFound(refused);
      default -> null;
    };
  }

  /** A refusal by the handler of an audited route has its own line. */
  private static AuditTrail.@Nullable Line forbidden(Refused refused) {
    Actor actor = refused.actor();
    boolean isByScope = refused.problem().member("scope") != null;
    if (actor == null || (!isByScope && AuditedRoutes.isAudited(refused.route()))) {
      return null;
    }
    return AuditTrail.Line.of(actor, refused.request().remoteAddress(), refused.route(), "")
        .outcome(outcome(refused));
  }

  /**
   * Only what another tenant has, and only in the operator's log: the caller's own log would show
   * the caller that the id exists.
   */
  private static AuditTrail.@Nullable Line notFound(Refused refused) {
    if (refused.route().scope() == TokenScope.PUBLIC) {
      return isByLink(refused.route()) ? inLogOfOperator(refused, "") : null;
    }
    Actor actor = refused.actor();
    String owner = refused.cause() instanceof NotFound gone ? gone.owner() : null;
    if (actor == null || owner == null) {
      return null;
    }
    String ofDrafts = FlowFiles.ownerOfDrafts(owner);
    return actor.tenant().equals(ofDrafts == null ? owner : ofDrafts)
        ? null
        : inLogOfOperator(refused, "an id of another tenant, asked by tenant " + actor.tenant());
  }

  private static boolean isByLink(Route route) {
    return !route.parameters().isEmpty();
  }

  private static AuditTrail.Line inLogOfOperator(Refused refused, String target) {
    Actor actor = refused.actor();
    return new AuditTrail.Line(
        TenantBook.OPERATOR,
        actor == null ? "unknown" : actor.name(),
        actor == null ? null : actor.id(),
        refused.request().remoteAddress(),
        refused.route().toString(),
        target,
        outcome(refused));
  }

  private static String outcome(Refused refused) {
    return "refused: " + refused.problem().name();
  }

  /** Writes what was counted until now. */
  void flush() {
    Map<AuditTrail.Line, Integer> taken;
    Instant from;
    synchronized (this) {
      if (since == null) {
        return;
      }
      taken = counts;
      from = since;
      counts = new LinkedHashMap<>();
      since = null;
    }
    try {
      for (var left = taken.entrySet().iterator(); left.hasNext(); left.remove()) {
        Map.Entry<AuditTrail.Line, Integer> one = left.next();
        AuditTrail.Line line = one.getKey();
        audit.append(
            line.outcome("%s, %d times since %s".formatted(line.outcome(), one.getValue(), from)));
      }
    } catch (RuntimeException e) {
      log.warn("refused requests could not be written to the audit log; they are counted on", e);
    } finally {
      keep(taken, from);
    }
  }

  /** Counts what could not be written together with what was counted since. */
  private synchronized void keep(Map<AuditTrail.Line, Integer> unwritten, Instant from) {
    if (!unwritten.isEmpty()) {
      Map<AuditTrail.Line, Integer> newer = counts;
      counts = unwritten;
      newer.forEach(this::add);
      since = from;
    }
  }
}
