package dev.hapax.testkit;

import dev.hapax.flow.Interceptor;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * The disturbances that a proof tries, in an order that soon touches every effect and every kind of
 * boundary, so that a proof that runs out of time has seen some of each.
 *
 * @param leftOut sentences about boundaries that it does not try
 */
record ProofPlan(List<Disturbance> disturbances, List<String> leftOut) {
  /**
   * Plans by what an undisturbed run did.
   *
   * @param requests in the order in which they were sent
   */
  static ProofPlan of(int commits, List<Interceptor.Sending> requests, ProofLimits limits) {
    List<String> leftOut = new ArrayList<>();
    List<List<Disturbance>> groups = new ArrayList<>();
    byEffect(requests)
        .forEach(
            (effect, numbers) -> {
              List<Integer> chosen = spread(numbers, limits.requestsPerEffect());
              if (chosen.size() < numbers.size()) {
                leftOut.add(
                    "of the %,d requests of effect '%s', %,d were disturbed"
                        .formatted(numbers.size(), effect, chosen.size()));
              }
              chosen.forEach(number -> groups.add(around(number, requests.get(number - 1))));
            });
    List<Integer> all = IntStream.rangeClosed(1, commits).boxed().toList();
    List<Integer> chosen = spread(all, limits.commits());
    if (chosen.size() < commits) {
      leftOut.add("of the %,d commits, %,d were disturbed".formatted(commits, chosen.size()));
    }
    chosen.forEach(
        number ->
            groups.add(
                List.of(
                    new Disturbance(Disturbance.What.KILL_BEFORE_COMMIT, number),
                    new Disturbance(Disturbance.What.KILL_AFTER_COMMIT, number))));
    return new ProofPlan(inTurn(groups), leftOut);
  }

  private static Map<String, List<Integer>> byEffect(List<Interceptor.Sending> requests) {
    Map<String, List<Integer>> numbers = new LinkedHashMap<>();
    for (int i = 0; i < requests.size(); i++) {
      numbers.computeIfAbsent(requests.get(i).effect(), _ -> new ArrayList<>()).add(i + 1);
    }
    return numbers;
  }

  private static List<Disturbance> around(int number, Interceptor.Sending request) {
    List<Disturbance> all = new ArrayList<>();
    all.add(new Disturbance(Disturbance.What.LOSE_ANSWER, number));
    all.add(new Disturbance(Disturbance.What.KILL_AFTER_SEND, number));
    all.add(new Disturbance(Disturbance.What.KILL_BEFORE_SEND, number));
    all.add(new Disturbance(Disturbance.What.LOSE_REQUEST, number));
    all.add(new Disturbance(Disturbance.What.DELAY_ANSWER, number));
    all.add(new Disturbance(Disturbance.What.DOUBLE_REQUEST, number));
    return all.stream().filter(one -> one.fits(request.guard())).toList();
  }

  /** Chooses at most so many, the first and the last among them, the others evenly between. */
  private static List<Integer> spread(List<Integer> numbers, int most) {
    if (numbers.size() <= most) {
      return numbers;
    }
    if (most == 1) {
      return numbers.subList(0, 1);
    }
    return IntStream.range(0, most)
        .mapToObj(i -> numbers.get((int) ((long) i * (numbers.size() - 1) / (most - 1))))
        .toList();
  }

  /** The first of each group, then the second of each, and so on. */
  private static List<Disturbance> inTurn(List<List<Disturbance>> groups) {
    List<Disturbance> all = new ArrayList<>();
    int longest = groups.stream().mapToInt(List::size).max().orElse(0);
    for (int i = 0; i < longest; i++) {
      for (List<Disturbance> group : groups) {
        if (i < group.size()) {
          all.add(group.get(i));
        }
      }
    }
    return all;
  }
}
