package dev.hapax.app.crash.feature;

import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;

import dev.hapax.HapaxOptions;
import dev.hapax.flow.EffectRecord;
import dev.hapax.flow.Fingerprint;
import dev.hapax.flow.Hold;
import dev.hapax.flow.KvEntry;
import dev.hapax.flow.Run;
import dev.hapax.json.Digest;
import dev.hapax.run.wait.Wait;
import dev.hapax.store.Store;
import dev.hapax.store.StoreProvider;
import dev.hapax.testkit.fault.Arrival;
import dev.hapax.testkit.promise.AcceptedIsDurable;
import dev.hapax.testkit.promise.ClientCall;
import dev.hapax.testkit.promise.CountersAreExact;
import dev.hapax.testkit.promise.EveryDecisionIsExplained;
import dev.hapax.testkit.promise.Evidence;
import dev.hapax.testkit.promise.FirstAnswerDecides;
import dev.hapax.testkit.promise.ItemsAreHandledOnce;
import dev.hapax.testkit.promise.JournalHasNoGaps;
import dev.hapax.testkit.promise.MessagesAreDelivered;
import dev.hapax.testkit.promise.Observation;
import dev.hapax.testkit.promise.OneHolderPerLock;
import dev.hapax.testkit.promise.OnlyPoisonIsKeptOut;
import dev.hapax.testkit.promise.Promise;
import dev.hapax.testkit.promise.WaitsFireOnceAndNotEarly;
import dev.hapax.time.Ports;
import dev.hapax.time.Threads;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Everything that is known after the faults have stopped: what the parties outside heard, what the
 * sink saw, and what the store holds.
 *
 * @param reports the reports of processes, as words, in order
 * @param broken what the checkers of the simulation say about store and answers
 */
record AgencyWitnesses(
    int cases,
    List<List<String>> reports,
    List<Arrival> arrivals,
    List<Run> runs,
    List<EffectRecord> effects,
    Map<String, String> counters,
    List<Hold> holds,
    List<String> broken) {
  private static final String TENANT = HapaxOptions.DEFAULT.tenant();

  /** Those that need only the store and the reports; none of them calls an engine. */
  private static final List<Promise> PROMISES =
      List.of(
          new AcceptedIsDurable(),
          new WaitsFireOnceAndNotEarly(),
          new FirstAnswerDecides(),
          new ItemsAreHandledOnce(),
          new OneHolderPerLock(),
          new CountersAreExact(),
          new MessagesAreDelivered(),
          new JournalHasNoGaps(),
          new OnlyPoisonIsKeptOut(),
          new EveryDecisionIsExplained());

  /** No process may be alive. */
  static AgencyWitnesses of(Path file, int cases, Outside outside, List<Arrival> arrivals) {
    Threads threads = Ports.system().threads();
    try (Store store = StoreProvider.open(provider -> provider.open(file, threads))) {
      var evidence =
          new Evidence(
              store,
              TENANT,
              List.of(),
              List.of(),
              calls(outside),
              observations(store, outside, arrivals));
      List<String> broken = new ArrayList<>();
      for (Promise promise : PROMISES) {
        promise.brokenBy(evidence).forEach(what -> broken.add(promise.name() + ": " + what));
      }
      return new AgencyWitnesses(
          cases,
          outside.reports(),
          arrivals,
          evidence.runs(),
          evidence.effects(),
          counters(store),
          store.holds(TENANT, null),
          broken);
    }
  }

  private static Map<String, String> counters(Store store) {
    var counters = new TreeMap<String, String>();
    Stream.concat(Stream.of(Orders.COUNTER, Orders.LINE_COUNTER), Case.shelves().stream())
        .forEach(
            name -> {
              KvEntry entry = store.kv(TENANT, name);
              counters.put(name, entry == null ? "0" : entry.value());
            });
    return counters;
  }

  /** What shows that the test was not passed by doing nothing. */
  @Override
  public String toString() {
    Map<String, Long> lines =
        reports.stream().collect(groupingBy(List::getFirst, TreeMap::new, counting()));
    return "%d cases · %d runs · %d effects · %d arrivals, %d of them unanswered · reports %s"
        .formatted(
            cases,
            runs.size(),
            effects.size(),
            arrivals.size(),
            arrivals.stream().filter(Arrival::isAmbiguous).count(),
            lines);
  }

  /** The lines of this sort. */
  List<List<String>> reports(Report what) {
    return reports.stream().filter(what::isIn).toList();
  }

  /** What is soon forgotten is left to the oracle. */
  private static List<ClientCall> calls(Outside outside) {
    var calls = new ArrayList<ClientCall>();
    for (List<String> word : outside.reports(Report.ACCEPTED)) {
      if (Case.of(word.get(1)).kind() != Case.Kind.NOTE) {
        calls.add(call(ClientCall.Wish.START, word.get(2), null));
      }
    }
    for (List<String> word : outside.reports(Report.DONE)) {
      if (word.get(1).startsWith("r-")) {
        calls.add(call(ClientCall.Wish.RETRY, word.get(1), word.get(2)));
      }
    }
    return calls;
  }

  private static ClientCall call(ClientCall.Wish wish, String run, @Nullable String mark) {
    return new ClientCall(wish, ClientCall.Answer.ACCEPTED, null, null, null, null, run, mark);
  }

  private static List<Observation> observations(
      Store store, Outside outside, List<Arrival> arrivals) {
    var seen = new ArrayList<Observation>();
    outside
        .sayings()
        .forEach(
            (saying, receipt) -> {
              long number = number(store, saying.target());
              seen.add(
                  receipt == null
                      ? Observation.WaitAnswered.unheard(
                          number, saying.said(), ClientCall.Answer.UNKNOWN)
                      : new Observation.WaitAnswered(
                          number,
                          saying.said(),
                          ClientCall.Answer.ACCEPTED,
                          receipt.state(),
                          receipt.isFirst(),
                          receipt.counts()));
            });
    outside
        .reports(Report.STRANGER)
        .forEach(_ -> seen.add(new Observation.StrangerAnswered(ClientCall.Answer.REFUSED)));
    for (Arrival arrival : arrivals) {
      List<String> word = List.of(arrival.key().split(" ", -1));
      switch (word.getFirst()) {
        case "deliver" ->
            seen.add(new Observation.MessageArrived(arrival.wireKey(), arrival.payloadHash()));
        case "enter", "leave" ->
            seen.add(
                new Observation.LockUsed(word.get(2), Long.parseLong(word.get(3)), word.get(1)));
        default -> {}
      }
    }
    return seen;
  }

  private static long number(Store store, String target) {
    if (target.startsWith("w-")) {
      return Wait.number(target);
    }
    Wait wait = store.waits().find(Fingerprint.of(Digest.sha256(target)));
    return wait == null ? 0 : wait.number();
  }
}
