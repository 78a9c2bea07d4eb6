package dev.hapax.app.access;

import dev.hapax.Kv;
import dev.hapax.app.data.Outcome;
import dev.hapax.app.data.Records;
import dev.hapax.app.data.Stored;
import dev.hapax.app.http.AuditTrail;
import dev.hapax.json.Digest;
import dev.hapax.json.Text;
import dev.hapax.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/**
 * The log of requests and their callers, per tenant. Lines are appended and never changed. Each
 * holds the mark of the line before it, and its own mark by a key that is not in the store. So a
 * line that is changed, removed or inserted in the store is detected. Two nodes that append at once
 * write one after the other, because a number is written once. Safe for many threads and nodes.
 */
public final class AuditLog implements AuditTrail {
  private static final int PAGE = 200;
  private static final int MOST_FINDINGS = 20;
  private static final int LONGEST_TEXT = 1_000;

  private final Records<AuditEntry> lines;
  private final Records<End> ends;
  private final Clock clock;
  private final byte[] key;
  private final ConcurrentMap<String, End> known = new ConcurrentHashMap<>();

  /**
   * The newest line that is known to have existed, so that the loss of the last lines is noticed.
   *
   * @param seal over the rest
   */
  record End(long number, String mark, String seal) {}

  /**
   * The result of checking the whole log.
   *
   * @param lines how many there are
   * @param last the mark of the last one: a copy kept elsewhere proves later that nothing before it
   *     was removed
   * @param gaps the times that are missing, because the store was restored
   */
  public record Verified(
      boolean intact, long lines, String last, List<Finding> findings, List<Gap> gaps) {
    Verified with(Finding problem) {
      var all = new ArrayList<>(findings);
      all.add(problem);
      return new Verified(false, lines, last, List.copyOf(all), gaps);
    }

    Verified with(List<Gap> found) {
      return new Verified(intact, lines, last, findings, List.copyOf(found));
    }
  }

  /**
   * A period whose lines are missing, because the store was restored from a copy.
   *
   * @param until null until a person declares the restored store
   */
  public record Gap(Instant since, @Nullable Instant until) {}

  /** A problem, and the line at which it begins. */
  public record Finding(long number, String problem) {}

  public AuditLog(Kv map, byte[] key, Clock clock) {
    this.lines = new Records<>(map, "audit", AuditEntry.class);
    this.ends = new Records<>(map, "audit-end", End.class);
    this.key = key.clone();
    this.clock = clock;
  }

  /** Appends a line about something that the server itself does; durable when this returns. */
  public void append(String tenant, String actor, String action, String target, String outcome) {
    append(new Line(tenant, actor, null, null, action, target, outcome));
  }

  @Override
  public void append(Line line) {
    String tenant = line.tenant();
    End end = known.computeIfAbsent(tenant, this::find);
    while (true) {
      AuditEntry entry =
          new AuditEntry(
                  end.number() + 1,
                  clock.now(),
                  tenant,
                  shortened(line.actor()),
                  line.token() == null ? null : shortened(line.token()),
                  line.address() == null ? null : shortened(line.address()),
                  shortened(line.action()),
                  shortened(line.target()),
                  shortened(line.outcome()),
                  end.mark(),
                  "")
              .marked(key);
      Outcome<AuditEntry> result = lines.putIfAbsent(name(tenant, entry.number()), entry);
      Stored<AuditEntry> standing = result.standing();
      if (standing != null) {
        end = sealed(tenant, standing.value().number(), standing.value().mark());
        known.merge(tenant, end, (one, other) -> one.number() >= other.number() ? one : other);
      }
      if (result.written()) {
        moveEnd(tenant, end);
        return;
      }
    }
  }

  private static String shortened(String text) {
    String storable = Text.storable(text);
    return storable.length() <= LONGEST_TEXT ? storable : storable.substring(0, LONGEST_TEXT);
  }

  private static String name(String tenant, long number) {
    return Records.name(tenant, "%015d".formatted(number));
  }

  private End sealed(String tenant, long number, String mark) {
    byte[] seal = Digest.hmac(key, "audit end", tenant, Long.toString(number), mark);
    return new End(number, mark, HexFormat.of().formatHex(seal));
  }

  private End find(String tenant) {
    Stored<End> told = ends.get(tenant);
    End end = told == null ? sealed(tenant, 0, AuditEntry.NOTHING) : told.value();
    for (Stored<AuditEntry> next; (next = lines.get(name(tenant, end.number() + 1))) != null; ) {
      end = sealed(tenant, next.value().number(), next.value().mark());
    }
    return end;
  }

  /** Moves the end forward only: the end of a slower node is older. */
  private void moveEnd(String tenant, End end) {
    Stored<End> there = ends.get(tenant);
    while (there == null || there.value().number() < end.number()) {
      Outcome<End> outcome = ends.compareAndSet(tenant, there == null ? 0 : there.version(), end);
      if (outcome.written()) {
        return;
      }
      there = outcome.standing();
    }
  }

  /** Returns the lines after this number, oldest first. */
  public List<AuditEntry> list(String tenant, long after, int limit) {
    String last = after <= 0 ? null : name(tenant, after);
    return lines.list(Records.name(tenant), last, limit).stream().map(Stored::value).toList();
  }

  /** Returns the number and the mark of the newest line; 0 and an empty mark if there is none. */
  End end(String tenant) {
    return find(tenant);
  }

  /** Checks every line of a tenant. */
  public Verified verify(String tenant) {
    return verify(tenant, null);
  }

  /**
   * As above, and that the log still has the line that a checkpoint names.
   *
   * @param anchor whose signature is good; null for none
   */
  Verified verify(String tenant, @Nullable AuditCheckpoint anchor) {
    Stored<End> end = ends.get(tenant); // before the lines: more may be appended meanwhile
    var findings = new ArrayList<Finding>();
    long count = 0;
    long expected = 1;
    String previous = AuditEntry.NOTHING;
    String atEnd = null;
    String atAnchor = AuditEntry.NOTHING;
    String after = null;
    List<Stored<AuditEntry>> page;
    do {
      page = lines.list(Records.name(tenant), after, PAGE);
      for (Stored<AuditEntry> line : page) {
        AuditEntry entry = line.value();
        String problem = problemOf(line, expected, previous, tenant);
        if (problem != null && findings.size() < MOST_FINDINGS) {
          findings.add(new Finding(expected, problem));
        }
        if (end != null && entry.number() == end.value().number()) {
          atEnd = entry.mark();
        }
        if (anchor != null && entry.number() == anchor.number()) {
          atAnchor = entry.mark();
        }
        count++;
        expected = entry.number() + 1;
        previous = entry.mark();
        after = line.name();
      }
    } while (page.size() == PAGE);
    String problem = problemOfEnd(tenant, end, expected - 1, atEnd);
    if (problem != null) {
      findings.add(new Finding(expected, problem));
    }
    if (anchor != null && !anchor.mark().equals(atAnchor)) {
      findings.add(new Finding(anchor.number(), problemOfAnchor(anchor, expected - 1)));
    }
    return new Verified(findings.isEmpty(), count, previous, findings, List.of());
  }

  private static String problemOfAnchor(AuditCheckpoint anchor, long last) {
    return last < anchor.number()
        ? "the checkpoint of %s names line %d, but the log ends at line %d: the database was set back, or the newest lines were removed"
            .formatted(anchor.at(), anchor.number(), last)
        : "line %d is not the one that the checkpoint of %s names: the log was written anew"
            .formatted(anchor.number(), anchor.at());
  }

  private @Nullable String problemOf(
      Stored<AuditEntry> line, long expected, String previous, String tenant) {
    AuditEntry entry = line.value();
    if (entry.number() != expected || !line.name().equals(name(tenant, expected))) {
      return "expected line %d, found line %d under %s: lines were removed or inserted"
          .formatted(expected, entry.number(), line.name());
    }
    if (!entry.tenant().equals(tenant) || !entry.mark().equals(entry.markBy(key))) {
      return "line %d does not match its mark: it was changed or inserted".formatted(expected);
    }
    return entry.previous().equals(previous)
        ? null
        : "line %d does not follow the line before it".formatted(expected);
  }

  private @Nullable String problemOfEnd(
      String tenant, @Nullable Stored<End> end, long last, @Nullable String markAtEnd) {
    if (end == null) {
      // The end is written right after the first line: a crash in between leaves one line.
      return last <= 1 ? null : "the record of the last line was removed";
    }
    End is = end.value();
    if (!is.equals(sealed(tenant, is.number(), is.mark()))) {
      return "the record of the last line was changed";
    }
    return is.mark().equals(markAtEnd)
        ? null
        : "line %d is missing: the newest lines were removed".formatted(is.number());
  }
}
