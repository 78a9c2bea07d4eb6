package dev.hapax.testkit.simulation;

import dev.hapax.flow.NotApplied;
import dev.hapax.flow.OnDoubt;
import dev.hapax.run.Answer;
import dev.hapax.run.ClaimAnswer;
import dev.hapax.run.JournalEntry;
import dev.hapax.run.JournalRow;
import dev.hapax.store.Batch;
import dev.hapax.store.Change;
import dev.hapax.store.Group;
import dev.hapax.store.GroupAnswer;
import dev.hapax.store.Head;
import dev.hapax.store.Store;
import dev.hapax.store.StoredRun;
import dev.hapax.store.UnknownCommit;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Broken builds of section 6 of the reliability guide that can be made at the ports. */
enum Mutant {
  /** The last batch is acknowledged when it is only about to be written. */
  ACKNOWLEDGES_BEFORE_COMMIT,
  COMMIT_ERROR_TAKEN_AS_ROLLBACK,
  RECOVERS_ONLY_ONCE,
  DOUBT_DROPPED_AT_RECOVERY,
  RUN_ID_IN_THE_KEY,
  ATTEMPT_IN_THE_KEY,
  ERROR_TAKEN_AS_NOT_APPLIED,
  OUTCOME_BEFORE_SEND,
  NOT_FOUND_TRUSTED_AT_ONCE,
  DOUBT_RESENT_WITHOUT_GUARD,
  KEY_WINDOW_IGNORED;

  /** Anew for every seed: some keep state. */
  Mutation mutation() {
    return switch (this) {
      case ACKNOWLEDGES_BEFORE_COMMIT -> overStore(new EarlyAnswer());
      case COMMIT_ERROR_TAKEN_AS_ROLLBACK -> overStore(Mutant::forgetUnknown);
      case RECOVERS_ONLY_ONCE -> overStore(new OneRecovery());
      case DOUBT_DROPPED_AT_RECOVERY -> overStore(Mutant::dropDoubts);
      case RUN_ID_IN_THE_KEY ->
          new Mutation() {
            @Override
            public String wireKey(String wireKey, String run) {
              return wireKey + run;
            }
          };
      case ATTEMPT_IN_THE_KEY ->
          new Mutation() {
            private final Map<String, Integer> attempts = new HashMap<>();

            @Override
            public String wireKey(String wireKey, String run) {
              return wireKey + attempts.merge(wireKey, 1, Integer::sum);
            }
          };
      case ERROR_TAKEN_AS_NOT_APPLIED ->
          new Mutation() {
            @Override
            public String send(Sender sender) throws Exception {
              try {
                return sender.send();
              } catch (IOException e) {
                throw new NotApplied("taken as not applied", e);
              }
            }
          };
      case OUTCOME_BEFORE_SEND ->
          new Mutation() {
            private int sent;

            @Override
            public String send(Sender sender) throws Exception {
              return ++sent % 5 == 0 ? "\"told before it was done\"" : sender.send();
            }
          };
      case NOT_FOUND_TRUSTED_AT_ONCE -> declaring(it -> it.looksUp() ? hasty(it) : it);
      case DOUBT_RESENT_WITHOUT_GUARD ->
          declaring(it -> it.guard() == Destination.Guarded.NONE ? it.onDoubt(OnDoubt.REPEAT) : it);
      case KEY_WINDOW_IGNORED -> declaring(it -> it.window(Duration.ofDays(3650)));
    };
  }

  private static Destination hasty(Destination it) {
    return it.timeout(Duration.ofMillis(50)).settle(Duration.ofMillis(1));
  }

  private static Mutation declaring(UnaryOperator<Destination> change) {
    return new Mutation() {
      @Override
      public Destination declared(Destination destination) {
        return change.apply(destination);
      }
    };
  }

  /** Stands between the engine and its store. */
  @FunctionalInterface
  private interface Between {
    @Nullable Object call(Store store, Call call) throws Throwable;
  }

  /** A call of the store's port. */
  private static final class Call {
    private final Method method;
    private final Object @Nullable [] arguments;

    Call(Method method, Object @Nullable [] arguments) {
      this.method = method;
      this.arguments = arguments;
    }

    boolean is(String name) {
      return method.getName().equals(name);
    }

    Object first() {
      return Objects.requireNonNull(arguments)[0];
    }

    @Nullable Object on(Store store) throws Throwable {
      try {
        return method.invoke(store, arguments);
      } catch (InvocationTargetException e) {
        throw e.getCause();
      }
    }
  }

  private static Mutation overStore(Between between) {
    return new Mutation() {
      @Override
      public Store store(Store store) {
        return (Store)
            Proxy.newProxyInstance(
                Store.class.getClassLoader(),
                new Class<?>[] {Store.class},
                (_, method, arguments) -> between.call(store, new Call(method, arguments)));
      }
    };
  }

  private static final class EarlyAnswer implements Between {
    private @Nullable Batch waiting;

    @Override
    public @Nullable Object call(Store store, Call call) throws Throwable {
      if (!call.is("commit")) {
        return call.on(store);
      }
      Batch late = waiting;
      waiting = null;
      if (late != null) {
        store.commit(late);
      }
      Batch batch = (Batch) call.first();
      if (!batch.groups().stream().allMatch(group -> group.head() instanceof Head.Owned)) {
        return call.on(store);
      }
      waiting = batch;
      return batch.groups().stream().map(EarlyAnswer::asAsked).toList();
    }

    private static GroupAnswer asAsked(Group group) {
      List<Answer> answers = new ArrayList<>();
      for (Change change : group.changes()) {
        if (change instanceof Change.Claim(var claim)) {
          answers.add(new ClaimAnswer.Granted(claim.number(), 1));
        } else if (change instanceof Change.Attempt(long effect, int revision, int _, boolean _)) {
          answers.add(new ClaimAnswer.Granted(effect, revision));
        }
      }
      return new GroupAnswer.Landed(answers, List.of());
    }
  }

  private static @Nullable Object forgetUnknown(Store store, Call call) throws Throwable {
    try {
      return call.on(store);
    } catch (UnknownCommit e) {
      Batch batch = (Batch) call.first();
      return batch.groups().stream().map(_ -> new GroupAnswer.Lost()).toList();
    }
  }

  private static final class OneRecovery implements Between {
    private boolean done;

    @Override
    public @Nullable Object call(Store store, Call call) throws Throwable {
      if (call.is("adoptOrphans") && done) {
        return List.of();
      }
      Object answer = call.on(store);
      done = done || (call.is("adoptOrphans") && !List.of().equals(answer));
      return answer;
    }
  }

  /** Whoever reads a journal that ends with an attempt in flight reads that it was not applied. */
  private static @Nullable Object dropDoubts(Store store, Call call) throws Throwable {
    Object answer = call.on(store);
    if (!(answer instanceof StoredRun(var run, var _, var journal)) || journal.isEmpty()) {
      return answer;
    }
    JournalRow last = journal.getLast();
    JournalEntry end = last.readEntries().getLast();
    JournalEntry made =
        switch (end) {
          case JournalEntry.Claimed claim when last.answers() == null ->
              new JournalEntry.NotApplied(claim.step(), 1, 1, "surely not", last.at());
          case JournalEntry.SentAgain(var step, int revision, int attempt) ->
              new JournalEntry.NotApplied(step, revision, attempt, "surely not", last.at());
          default -> null;
        };
    if (made == null) {
      return answer;
    }
    var entries = new ArrayList<>(last.readEntries());
    entries.add(made);
    var rows = new ArrayList<>(journal);
    rows.set(
        rows.size() - 1,
        new JournalRow(
            last.run(),
            last.seq(),
            last.op(),
            last.at(),
            JournalRow.write(entries),
            last.answers()));
    return new StoredRun(run, last.seq(), rows);
  }
}
