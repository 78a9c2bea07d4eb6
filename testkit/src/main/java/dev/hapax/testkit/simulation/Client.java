package dev.hapax.testkit.simulation;

import dev.hapax.Hapax;
import dev.hapax.KeyExpired;
import dev.hapax.KeyReused;
import dev.hapax.RunCanceled;
import dev.hapax.RunFailed;
import dev.hapax.RunHandle;
import dev.hapax.RunInReview;
import dev.hapax.RunUnfinished;
import dev.hapax.flow.ConcurrencyLimit;
import dev.hapax.flow.Failure;
import dev.hapax.flow.Flow;
import dev.hapax.flow.Forbidden;
import dev.hapax.flow.NotFound;
import dev.hapax.flow.NotPossible;
import dev.hapax.flow.Run;
import dev.hapax.flow.RunFilter;
import dev.hapax.flow.RunStatus;
import dev.hapax.flow.StoreBroken;
import dev.hapax.flow.StoreClosed;
import dev.hapax.flow.StoreFull;
import dev.hapax.flow.StoreUnavailable;
import dev.hapax.flow.WaitingCaller;
import dev.hapax.json.Json;
import dev.hapax.store.Store;
import dev.hapax.testkit.promise.ClientCall;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Starts runs, again and with other inputs, cancels and retries them, and records its requests and
 * the answers. It lives outside the nodes.
 */
final class Client {
  private static final int LONGEST_AWAIT = 20;

  private final String name;
  private final Machines machines;
  private final SimulatedStore.Simulated with;
  private final PlannedFlows flows;
  private final Store durable;
  private final List<ClientCall> calls;
  private final List<Plan> plans = new ArrayList<>();
  private int wishes;

  Client(
      String name,
      Machines machines,
      SimulatedStore.Simulated with,
      PlannedFlows flows,
      Store durable,
      List<ClientCall> calls) {
    this.name = name;
    this.machines = machines;
    this.with = with;
    this.flows = flows;
    this.durable = durable;
    this.calls = calls;
  }

  void live(int howMany) {
    for (int i = 0; i < howMany; i++) {
      with.scheduler().sleep(pause());
      Hapax hapax = machines.hapax();
      if (hapax != null) {
        ask(hapax);
      }
    }
  }

  private void ask(Hapax hapax) {
    if (flows.areReplayed() && with.choices().below(6) == 1) {
      retry(hapax);
      return;
    }
    switch (with.choices().below(machines.areSeveral() ? 12 : 10)) {
      case 7 -> cancel(hapax);
      case 8 -> retry(hapax);
      case 9 -> settleStep(hapax);
      case 10 -> startAtTwoNodes(hapax);
      case 11 -> await(hapax);
      default -> start(hapax, flows.drawFlow(with.choices()), plan());
    }
  }

  private void startAtTwoNodes(Hapax hapax) {
    Flow<Plan, String> flow = flows.drawFlow(with.choices());
    Plan plan = plan();
    Hapax other = machines.hapax();
    if (other != null) {
      with.scheduler().spawn(null, name + "-twin", () -> start(other, flow, plan));
    }
    start(hapax, flow, plan);
  }

  /** Awaits a run that is perhaps in the memory of another node. */
  private void await(Hapax hapax) {
    Run run = anyRun(null);
    if (run != null) {
      String id = run.id().toString();
      Duration atMost = Duration.ofSeconds(1L + with.choices().below(LONGEST_AWAIT));
      var answer = tell(() -> awaitEnd(hapax, id, atMost));
      calls.add(new ClientCall(ClientCall.Wish.AWAIT, answer, null, null, null, null, id, null));
    }
  }

  private static void awaitEnd(Hapax hapax, String run, Duration atMost) {
    try {
      hapax.handle(run, String.class).await(atMost);
    } catch (RunUnfinished | KeyExpired e) {
      throw new IllegalArgumentException(e); // as good as refused
    } catch (RunFailed | RunCanceled | RunInReview e) {
      return; // that is its outcome
    }
  }

  private void start(Hapax hapax, Flow<Plan, String> flow, Plan plan) {
    SimulatedThread me = with.scheduler().current();
    me.hearsRefusals = true;
    try {
      RunHandle<String> run = hapax.start(flow, plan);
      var answer = run.isDuplicate() ? ClientCall.Answer.DUPLICATE : ClientCall.Answer.ACCEPTED;
      noteStart(flow, plan, answer, run.id());
    } catch (KeyReused e) {
      noteStart(flow, plan, ClientCall.Answer.KEY_REUSED, null);
    } catch (ConcurrencyLimit e) {
      noteStart(flow, plan, ClientCall.Answer.BUSY, null);
    } catch (StoreFull | StoreUnavailable | IllegalStateException e) {
      noteStart(flow, plan, ClientCall.Answer.REFUSED, null);
    } catch (StoreBroken | StoreClosed | NodeDown e) {
      noteStart(flow, plan, ClientCall.Answer.UNKNOWN, null);
    } finally {
      me.hearsRefusals = false;
    }
  }

  /** Plans something new, the same again, or something else under the same key. */
  private Plan plan() {
    int again = with.choices().below(4);
    if (again == 0 || plans.isEmpty()) {
      plans.add(flows.draw(with.choices()));
      return plans.getLast();
    }
    Plan before = plans.get(with.choices().below(plans.size()));
    return again == 3 ? new Plan(before.key(), flows.draw(with.choices()).steps()) : before;
  }

  /** Cancels a run in any state: it may be a child, wait in a line, or undo its effects. */
  void cancelOneUnderWay() {
    Hapax hapax = machines.hapax();
    List<Run> runs = runs(null).stream().filter(run -> !run.status().isEnd()).toList();
    if (hapax != null && !runs.isEmpty()) {
      cancel(hapax, runs.get(with.choices().below(runs.size())));
    }
  }

  private void cancel(Hapax hapax) {
    cancel(hapax, anyRun(null));
  }

  private void cancel(Hapax hapax, @Nullable Run run) {
    if (run != null) {
      String mark = mark();
      String id = run.id().toString();
      boolean undoes = flows.drawsCompensation(with.choices());
      note(
          ClientCall.Wish.CANCEL,
          run,
          mark,
          undoes
              ? () -> hapax.cancelAndCompensate(id, mark, "not wanted at all")
              : () -> hapax.cancel(id, mark, "no longer wanted"));
    }
  }

  private void retry(Hapax hapax) {
    Run run = anyRun(flows.drawsFailed(with.choices()));
    if (run == null) {
      return;
    }
    String mark = mark();
    String id = run.id().toString();
    if (with.choices().below(2) == 0) {
      note(ClientCall.Wish.RETRY, run, mark, () -> hapax.retry(id, mark));
    } else {
      Plan corrected = new Plan(run.key(), flows.draw(with.choices()).steps());
      note(ClientCall.Wish.RETRY, run, mark, () -> hapax.retry(id, mark, flows.of(run), corrected));
    }
  }

  private void settleStep(Hapax hapax) {
    Run run = anyRun(flows.drawsFailed(with.choices()));
    Failure error = run == null ? null : run.error();
    String step = error == null ? null : error.step();
    if (run != null && error != null && step != null) {
      String mark = mark();
      note(
          ClientCall.Wish.SETTLE_STEP,
          run,
          mark,
          () ->
              hapax.settleStep(
                  run.id().toString(), step, error.item(), "by hand", "done by hand", mark));
    }
  }

  /** Makes a call about a run and records the outcome. */
  private void note(ClientCall.Wish wish, Run run, String mark, Runnable call) {
    calls.add(about(wish, tell(call), run.id().toString(), mark));
  }

  static ClientCall about(ClientCall.Wish wish, ClientCall.Answer answer, String run, String mark) {
    return new ClientCall(wish, answer, null, null, null, null, run, mark);
  }

  static ClientCall.Answer tell(Runnable call) {
    try {
      return WaitingCaller.waitsFor(
          () -> {
            call.run();
            return ClientCall.Answer.ACCEPTED;
          });
    } catch (KeyReused e) {
      return ClientCall.Answer.KEY_REUSED;
    } catch (ConcurrencyLimit e) {
      return ClientCall.Answer.BUSY;
    } catch (NotPossible | NotFound | IllegalArgumentException | Forbidden | StoreFull e) {
      return ClientCall.Answer.REFUSED;
    } catch (StoreUnavailable | StoreBroken | StoreClosed | NodeDown e) {
      return ClientCall.Answer.UNKNOWN;
    }
  }

  private void noteStart(
      Flow<Plan, String> flow, Plan plan, ClientCall.Answer answer, @Nullable String run) {
    calls.add(
        new ClientCall(
            ClientCall.Wish.START,
            answer,
            flow.name(),
            plan.key(),
            flow.conflict(),
            Json.write(plan),
            run,
            null));
  }

  private @Nullable Run anyRun(@Nullable RunStatus status) {
    List<Run> runs = runs(status);
    return runs.isEmpty() ? null : runs.get(with.choices().below(runs.size()));
  }

  private List<Run> runs(@Nullable RunStatus status) {
    return durable
        .runs(new RunFilter(UnreliableWorld.TENANT, null, null, status, null, 200))
        .stream()
        .filter(flows::has)
        .toList();
  }

  private String mark() {
    return name + "-" + ++wishes;
  }

  private Duration pause() {
    int bound = with.choices().oneOf(5, 2_000, 1_000_000);
    return Duration.ofMillis(with.choices().below(bound));
  }
}
