package dev.hapax.job;

import dev.hapax.engine.control.ReviewDecision;
import dev.hapax.engine.control.RunControl;
import dev.hapax.flow.EffectFilter;
import dev.hapax.flow.EffectRecord;
import dev.hapax.flow.EffectState;
import dev.hapax.flow.Job;
import dev.hapax.flow.JobItem;
import dev.hapax.flow.JobKind;
import dev.hapax.flow.JobSelection;
import dev.hapax.flow.NotFound;
import dev.hapax.flow.ReviewCause;
import dev.hapax.flow.Reviewed;
import dev.hapax.flow.Run;
import dev.hapax.flow.SettleDecision;
import dev.hapax.flow.StaleReview;
import dev.hapax.json.Json;
import dev.hapax.json.Text;
import dev.hapax.store.Store;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Settles effects in review, all with the same decision, and undoes them if that is wanted. Each is
 * bound to a revision and attempt, and skipped if it has moved on: to those that the request names
 * as seen, else to those that the plan shows. A list of effects that is settled without a plan is
 * bound when the request comes in.
 */
public final class SettleJob implements JobKind {
  private static final String NAME = "settle";
  private static final List<String> KNOWN =
      List.of(
          "flow", "flows", "label", "name", "step", "key", "keyPrefix", "since", "until", "cause");

  private final Store store;
  private final RunControl control;

  public SettleJob(Store store, RunControl control) {
    this.store = store;
    this.control = control;
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public void check(String tenant, String spec) {
    JobSpec read = JobSpec.read(spec);
    read.filter().refuseOtherThan(NAME, KNOWN);
    RunPages.ids(read.filter()).forEach(EffectRecord::number);
    SettleDecision decision = decision(read);
    String reason = read.reason();
    if (reason == null || reason.isBlank() || !Text.isStorable(reason)) {
      throw new IllegalArgumentException(
          "reason: expected 1 to 10,000 characters: the history of each run records it");
    }
    if (read.result() != null && decision != SettleDecision.HAPPENED) {
      throw new IllegalArgumentException(
          "result: only an effect that happened has one, not with decision " + decision.word());
    }
    if (compensates(read) && decision != SettleDecision.HAPPENED) {
      throw new IllegalArgumentException(
          "compensate: only what happened can be undone; expected the decision 'happened'");
    }
    Map<String, Reviewed> seen = read.seen();
    if (seen != null && !RunPages.ids(read.filter()).containsAll(seen.keySet())) {
      throw new IllegalArgumentException("seen: expected only effects that filter.ids names");
    }
  }

  @Override
  public boolean selectsAtOnce(String spec) {
    return !RunPages.ids(JobSpec.read(spec).filter()).isEmpty();
  }

  private static boolean compensates(JobSpec spec) {
    return Boolean.TRUE.equals(spec.compensate());
  }

  private static SettleDecision decision(JobSpec spec) {
    String word = spec.decision();
    return Arrays.stream(SettleDecision.values())
        .filter(decision -> decision.word().equals(word))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "decision: expected happened, not-happened or abandon, got "
                        + (word == null ? "nothing" : "'" + word + "'")));
  }

  @Override
  public Page select(Job job, @Nullable String place, int limit) {
    JobSpec spec = JobSpec.read(job.spec());
    List<String> ids = RunPages.ids(spec.filter());
    if (!ids.isEmpty()) {
      return byId(job, spec, ids, place, limit);
    }
    List<Selected> items = new ArrayList<>();
    var sizes = new PageSizes(limit);
    String last = place;
    for (int wanted = sizes.next(); wanted > 0; wanted = sizes.next()) {
      EffectFilter filter = filter(job.tenant(), spec.filter()).limit(wanted);
      List<EffectRecord> found =
          store.effects(last == null ? filter : filter.before(Long.parseLong(last, 36)));
      boolean isOver = add(found, spec, items);
      found.forEach(effect -> sizes.read(bytes(effect)));
      if (isOver || found.size() < wanted) {
        return new Page(items, null);
      }
      last = Long.toString(found.getLast().number(), 36);
    }
    return new Page(items, last);
  }

  /** Adds those that fit; returns whether the others are too old. */
  private boolean add(List<EffectRecord> found, JobSpec spec, List<Selected> items) {
    Map<Long, Run> owners = owners(found);
    Instant since = spec.filter().since();
    for (EffectRecord effect : found) {
      if (since != null && effect.number() < RunPages.firstAt(since)) {
        return true;
      }
      Run owner = owners.get(effect.run());
      if (owner != null
          && fits(spec, owner)
          && isOfStep(spec, effect)
          && hasCause(spec, effect, owner)) {
        items.add(selected(effect, owner));
      }
    }
    return false;
  }

  private static long bytes(EffectRecord effect) {
    String request = effect.request();
    String result = effect.result();
    return (request == null ? 0L : request.length()) + (result == null ? 0 : result.length());
  }

  private static EffectFilter filter(String tenant, JobSelection wanted) {
    Instant until = wanted.until();
    String prefix = wanted.keyPrefix();
    var filter =
        new EffectFilter(
            tenant,
            wanted.name(),
            wanted.key(),
            EffectState.REVIEW,
            until == null ? null : (Long) RunPages.firstAt(until),
            1);
    return prefix == null ? filter : filter.keyPrefix(prefix);
  }

  private static boolean isOfStep(JobSpec spec, EffectRecord effect) {
    String step = spec.filter().step();
    return step == null || step.equals(effect.step().name());
  }

  /**
   * The same decision means another thing for a rework question: "not happened" undoes what is
   * done. So without a cause, which no doubt shares, it is left out.
   */
  private static boolean hasCause(JobSpec spec, EffectRecord effect, Run owner) {
    String cause = spec.filter().cause();
    return cause == null
        ? !effect.isReworkQuestion()
        : cause.equals(ReviewCause.of(effect, owner).id());
  }

  private static boolean fits(JobSpec spec, Run owner) {
    String flow = spec.filter().flow();
    List<String> flows = spec.filter().flows();
    return spec.allows(owner.flow())
        && (flow == null || JobSpec.matches(flow, owner.flow()))
        && (flows == null || flows.contains(owner.flow()));
  }

  private Map<Long, Run> owners(List<EffectRecord> effects) {
    Map<Long, Run> owners = new HashMap<>();
    List<Long> numbers = effects.stream().map(EffectRecord::run).distinct().toList();
    store.runs(numbers).forEach(run -> owners.put(run.number(), run));
    return owners;
  }

  private Page byId(Job job, JobSpec spec, List<String> ids, @Nullable String place, int limit) {
    int from = place == null ? 0 : Integer.parseInt(place);
    int to = Math.min(ids.size(), from + limit);
    List<Selected> items = new ArrayList<>();
    for (String id : ids.subList(from, to)) {
      EffectRecord effect = find(job, spec, id);
      Run owner = effect == null ? null : store.run(effect.run());
      Map<String, Reviewed> seen = spec.seen();
      Selected one =
          effect == null || owner == null ? new Selected(id, null, null) : selected(effect, owner);
      items.add(seen == null || !seen.containsKey(id) ? one : one.detail(Json.write(seen.get(id))));
    }
    return new Page(items, to == ids.size() ? null : String.valueOf(to));
  }

  private static Selected selected(EffectRecord effect, Run owner) {
    return new Selected(effect.id(), owner.flow(), effect.key().key())
        .detail(Json.write(new Reviewed(effect.revision(), effect.attempts())));
  }

  /** Returns the effect if the job may touch it. */
  private @Nullable EffectRecord find(Job job, JobSpec spec, String id) {
    EffectRecord effect = store.effect(EffectRecord.number(id));
    if (effect == null || !effect.key().tenant().equals(job.tenant())) {
      return null;
    }
    Run owner = store.run(effect.run());
    return owner == null || !spec.allows(owner.flow()) ? null : effect;
  }

  @Override
  public Outcome act(Job job, JobItem item) {
    JobSpec spec = JobSpec.read(job.spec());
    EffectRecord effect = find(job, spec, item.subject());
    if (effect == null) {
      throw new NotFound("there is no effect " + item.subject());
    }
    String detail = item.detail();
    if (detail == null) {
      return Outcome.skipped("stale: it was not there when the job was planned");
    }
    try {
      control.settle(
          effect.number(),
          new ReviewDecision(
              decision(spec),
              spec.result() == null ? null : Json.write(spec.result()),
              null,
              spec.reason() == null ? "" : spec.reason(),
              job.actor(),
              Json.read(detail, Reviewed.class),
              compensates(spec)));
      return Outcome.DONE;
    } catch (StaleReview e) {
      return Outcome.skipped("stale: " + e.getMessage());
    }
  }
}
