package dev.hapax;

import dev.hapax.flow.InboxEvent;
import dev.hapax.flow.InboxFilter;
import dev.hapax.flow.InboxOutcome;
import dev.hapax.flow.Job;
import dev.hapax.flow.JobItem;
import dev.hapax.flow.JobItemState;
import dev.hapax.flow.JobKind;
import dev.hapax.flow.JobSelection;
import dev.hapax.flow.Run;
import dev.hapax.flow.RunId;
import dev.hapax.flow.RunStatus;
import dev.hapax.job.JobSpec;
import dev.hapax.job.PageSizes;
import dev.hapax.job.RunPages;
import dev.hapax.run.StoredMessage;
import dev.hapax.store.Store;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Jobs that deliver dead letters again, or try events again. */
final class Redelivery implements JobKind {
  private static final String NAME = "redeliver";
  private static final String EVENT = "i-";
  private static final Set<RunStatus> DEAD = Set.of(RunStatus.FAILED, RunStatus.REVIEW);

  private final Store store;
  private final Function<String, Hapax> tenants;
  private volatile EventSources sources = (_, _) -> null;

  Redelivery(Store store, Function<String, Hapax> tenants) {
    this.store = store;
    this.tenants = tenants;
  }

  @Override
  public String name() {
    return NAME;
  }

  void sources(EventSources found) {
    sources = found;
  }

  @Override
  public void check(String tenant, String spec) {
    JobSelection filter = JobSpec.read(spec).filter();
    List<String> ids = ids(filter);
    boolean isOfEvents = isOfEvents(filter);
    filter.refuseOtherThan(
        NAME,
        isOfEvents
            ? List.of("source", "outcome", "flow", "since", "until")
            : List.of("destination", "status", "since", "until"));
    if (ids.isEmpty() && !isOfEvents && filter.destination() == null) {
      throw new IllegalArgumentException(
          "filter: expected a destination of messages ('*' for all), a source of events, or ids");
    }
    if (isOfEvents) {
      ids.forEach(InboxEvent::number);
      refuseBadOutcome(filter.outcome());
    } else {
      ids.forEach(RunId::parse);
      refuseBadStatus(filter.status());
    }
  }

  private static void refuseBadOutcome(@Nullable String word) {
    if (word != null
        && Arrays.stream(InboxOutcome.values())
            .noneMatch(outcome -> outcome.canBeTriedAgain() && outcome.word().equals(word))) {
      throw new IllegalArgumentException(
          "filter.outcome: expected invalid, rejected or review, got '%s'".formatted(word));
    }
  }

  private static void refuseBadStatus(@Nullable String word) {
    if (word != null && DEAD.stream().noneMatch(status -> status.word().equals(word))) {
      throw new IllegalArgumentException(
          "filter.status: expected failed or review, got '%s'".formatted(word));
    }
  }

  private static List<String> ids(JobSelection filter) {
    List<String> ids = filter.ids();
    return ids == null ? List.of() : ids;
  }

  private static boolean isOfEvents(JobSelection filter) {
    return filter.source() != null
        || filter.outcome() != null
        || ids(filter).stream().anyMatch(id -> id.startsWith(EVENT));
  }

  @Override
  public Page select(Job job, @Nullable String place, int limit) {
    JobSpec spec = JobSpec.read(job.spec());
    return isOfEvents(spec.filter())
        ? events(job, spec, place, limit)
        : messages(job, spec).page(place, limit, Redelivery::selected);
  }

  private static Selected selected(Run run) {
    return new Selected(run.id().toString(), run.flow(), run.key());
  }

  private RunPages messages(Job job, JobSpec spec) {
    JobSelection filter = spec.filter();
    String destination = filter.destination();
    JobSelection runs =
        destination == null ? filter : filter.flow(StoredMessage.FLOWS + destination);
    return new RunPages(store, job.tenant(), JobSpec.of(runs, spec.within()), DEAD);
  }

  private Page events(Job job, JobSpec spec, @Nullable String place, int limit) {
    List<String> ids = ids(spec.filter());
    if (!ids.isEmpty()) {
      int from = place == null ? 0 : Integer.parseInt(place);
      int to = Math.min(ids.size(), from + limit);
      List<Selected> items = new ArrayList<>();
      for (String id : ids.subList(from, to)) {
        InboxEvent event = find(job, spec, id);
        items.add(event == null ? new Selected(id, null, null) : selected(event));
      }
      return new Page(items, to == ids.size() ? null : String.valueOf(to));
    }
    List<Selected> items = new ArrayList<>();
    var sizes = new PageSizes(limit);
    Instant since = spec.filter().since();
    String last = place;
    for (int wanted = sizes.next(); wanted > 0; wanted = sizes.next()) {
      List<InboxEvent> found = store.events(filter(job.tenant(), spec.filter(), last, wanted));
      for (InboxEvent event : found) {
        if (since != null && event.receivedAt().isBefore(since)) {
          return new Page(items, null);
        }
        if (event.outcome().canBeTriedAgain() && fits(spec, event)) {
          items.add(selected(event));
        }
        sizes.read(event.payload().length());
        last = Long.toString(event.number(), 36);
      }
      if (found.size() < wanted) {
        return new Page(items, null);
      }
    }
    return new Page(items, last);
  }

  private static boolean fits(JobSpec spec, InboxEvent event) {
    String flow = spec.filter().flow();
    return spec.allows(event.flow()) && (flow == null || flow.equals(event.flow()));
  }

  private static Selected selected(InboxEvent event) {
    return new Selected(event.id(), event.flow(), event.event());
  }

  private static InboxFilter filter(
      String tenant, JobSelection wanted, @Nullable String place, int limit) {
    String outcome = wanted.outcome();
    Instant until = wanted.until();
    Long before = until == null ? null : (Long) RunPages.firstAt(until);
    return InboxFilter.of(tenant)
        .source(wanted.source())
        .outcome(outcome == null ? null : InboxOutcome.of(outcome))
        .page(place == null ? before : (Long) Long.parseLong(place, 36), limit);
  }

  private @Nullable InboxEvent find(Job job, JobSpec spec, String id) {
    List<InboxEvent> found =
        store.events(InboxFilter.of(job.tenant()).number(InboxEvent.number(id)));
    return found.isEmpty() || !spec.allows(found.getFirst().flow()) ? null : found.getFirst();
  }

  @Override
  public Outcome act(Job job, JobItem item) {
    JobSpec spec = JobSpec.read(job.spec());
    Hapax hapax = tenants.apply(job.tenant());
    if (!item.subject().startsWith(EVENT)) {
      hapax.outbox().redeliver(item.subject(), job.actor(), spec::allows);
      return Outcome.DONE;
    }
    InboxEvent event = find(job, spec, item.subject());
    if (event == null) {
      return Outcome.skipped("there is no event " + item.subject());
    }
    if (!event.outcome().canBeTriedAgain()) {
      return Outcome.skipped("it is %s already".formatted(event.outcome().word()));
    }
    Source<?, ?> source = sources.find(job.tenant(), event);
    if (source != null && !spec.allows(source.flow().name())) {
      return Outcome.skipped("source '%s' starts another flow now".formatted(event.source()));
    }
    return outcome(
        source == null ? hapax.inbox().retry(event.id()) : hapax.inbox().retry(event.id(), source));
  }

  private static Outcome outcome(Acknowledgement answer) {
    String why = "it is %s: %s".formatted(answer.outcome().word(), answer.detail());
    return switch (answer.outcome()) {
      case ACCEPTED -> Outcome.DONE;
      case DUPLICATE, STALE -> new Outcome(JobItemState.DONE, why, null);
      case CONFLICTING, INVALID, REJECTED, REVIEW -> Outcome.failed(why);
    };
  }
}
