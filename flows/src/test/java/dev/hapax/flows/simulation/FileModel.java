package dev.hapax.flows.simulation;

import dev.hapax.flow.RunStatus;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a run of generated files must come to, said a second time and without a word about journals,
 * crashes or waits: what is sent, what comes before what, and how it ends.
 */
final class FileModel {
  /** An output of which nothing is said: what was given up in doubt has none. */
  static final Object ANYTHING = "anything";

  private final List<PlannedFile> files;
  private final Set<String> endedBefore;
  private final Set<String> ended = new HashSet<>();
  private final List<Sending> sendings = new ArrayList<>();
  private final List<List<Sending>> undos = new ArrayList<>();
  private final List<String> published = new ArrayList<>();
  private final Set<String> asked = new HashSet<>();
  private final Map<String, String> sentUnder = new HashMap<>();
  private final Set<Part.Reworked> reworked = new HashSet<>();
  private final Map<String, String> carried = new LinkedHashMap<>();

  private FileModel(List<PlannedFile> files, Set<String> endedBefore) {
    this.files = files;
    this.endedBefore = endedBefore;
  }

  /**
   * Something that is sent.
   *
   * @param where its place among all others
   * @param undone whether it is undone, if the run that sends it is
   */
  record Sending(String label, Part.Guard guard, List<Spot> where, boolean undone) {
    /** It was undone when its round was repeated, so it is not undone with its run. */
    Sending undoneBefore() {
      return new Sending(label, guard, where, false);
    }

    /** Whether it is sent before the other one is. */
    boolean isBefore(Sending other) {
      for (int i = 0; i < Math.min(where.size(), other.where.size()); i++) {
        Spot mine = where.get(i);
        Spot its = other.where.get(i);
        if (mine.index != its.index) {
          return !mine.beside && mine.index < its.index;
        }
      }
      return false;
    }
  }

  /** A place in a list of steps, or among parallel branches and items. */
  private record Spot(int index, boolean beside) {}

  /**
   * What must be.
   *
   * @param outputs of the steps of the file itself, by id: an output, or {@link Failed}
   * @param undos what is undone again, of each run by itself, in the order in which it was sent
   * @param asked the approvals that messages announce
   * @param reworked what became of effects that a later round met with other content
   * @param carried the hostile values that are sent, by the label of what brings them
   */
  record Expected(
      RunStatus status,
      List<Sending> sendings,
      List<List<Sending>> undos,
      List<String> published,
      Set<String> asked,
      Set<Part.Reworked> reworked,
      Map<String, String> carried,
      Map<String, @Nullable Object> outputs) {}

  /**
   * What a loop comes to.
   *
   * @param counts its output
   */
  record Looped(Map<String, Object> counts, List<ItemEnd> items) {}

  /**
   * How an item ends.
   *
   * @param output of the item, if it does not fail
   */
  record ItemEnd(String key, boolean isFailed, @Nullable Object output) {}

  /** A text that is exactly so. */
  record Exactly(String text) {}

  /**
   * What is known about an effect.
   *
   * @param found null if the course of events decides: after a fault it is not known whether
   *     something was sent before the lookup
   */
  record Facts(
      boolean stale, boolean reused, @Nullable Boolean found, @Nullable String externalId) {
    static final Facts NONE = new Facts(false, false, false, null);
  }

  /** A step ended the run. */
  private static final class Returned extends RuntimeException {
    private static final long serialVersionUID = 1L;
    final String label;

    Returned(String label) {
      super("returned", null, false, false);
      this.label = label;
    }
  }

  /** A value that is compared in its canonical form. */
  record Carried(String canonical) {}

  /** A step failed. */
  private static final class Failed extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Failed() {
      super("failed", null, false, false);
    }
  }

  /** What others see of a step that failed and was passed over. */
  record PassedOver() {}

  /** Where a run is. */
  private static final class Env {
    final String id;
    final @Nullable String item;
    final int round;
    final int index;
    final List<Spot> where;
    final boolean[] partial;
    final boolean isRepaired;

    Env(
        String id,
        @Nullable String item,
        int round,
        int index,
        List<Spot> where,
        boolean[] partial,
        boolean isRepaired) {
      this.isRepaired = isRepaired;
      this.id = id;
      this.item = item;
      this.round = round;
      this.index = index;
      this.where = where;
      this.partial = partial;
    }

    Env at(int index, boolean beside) {
      List<Spot> deeper = new ArrayList<>(where);
      deeper.add(new Spot(index, beside));
      return new Env(id, item, round, this.index, deeper, partial, isRepaired);
    }

    Env inItem(int number) {
      Env beside = at(number, true);
      String key = (item == null ? "i" : item) + number;
      return new Env(id, key, round, index, beside.where, new boolean[1], isRepaired);
    }

    /** As it was before the refusals ended. */
    Env before() {
      return new Env(id, item, round, index, where, partial, false);
    }

    Env inRound(int number) {
      return new Env(id, item, number, index, at(number, false).where, partial, isRepaired);
    }

    /** A round of a repetition fails with an item of a loop inside it. */
    Env again(int number) {
      var its = new boolean[1];
      return new Env(id, item, round, number, at(number, false).where, its, isRepaired);
    }

    String label(String step) {
      return label(step, round == 0 ? "" : " r" + round);
    }

    /** The same in each round. */
    String inAnyRound(String step) {
      return label(step, "");
    }

    private String label(String step, String ofRound) {
      return step
          + " "
          + id
          + (item == null ? "" : " " + item)
          + ofRound
          + (index < 0 ? "" : " n" + index);
    }
  }

  static Expected of(List<PlannedFile> files, String id) {
    return new FileModel(files, Set.of()).run(files.getFirst(), id, new ArrayList<>(), false);
  }

  /**
   * The same of a run that was retried after the refusals ended. Items and children that had ended
   * well stay as they are, also with what they had passed over.
   */
  static Expected ofRetried(List<PlannedFile> files, String id) {
    var first = new FileModel(files, Set.of());
    first.run(files.getFirst(), id, new ArrayList<>(), false);
    return new FileModel(files, first.ended).run(files.getFirst(), id, new ArrayList<>(), true);
  }

  private Expected run(PlannedFile file, String id, List<Spot> where, boolean isRepaired) {
    var env = new Env(id, null, 0, -1, where, new boolean[1], isRepaired);
    int before = sendings.size();
    var outputs = new LinkedHashMap<String, @Nullable Object>();
    RunStatus status;
    try {
      steps(file.parts(), env, outputs);
      for (Part part : file.parts()) {
        if (FileText.hasFacts(part)) {
          outputs.put(part.id() + "facts", facts(part, outputs.get(part.id()), env));
        }
      }
      status = env.partial[0] ? RunStatus.PARTIAL : RunStatus.SUCCEEDED;
    } catch (Returned e) {
      outputs.clear();
      outputs.put("returned", new Exactly(e.label));
      status = env.partial[0] ? RunStatus.PARTIAL : RunStatus.SUCCEEDED;
    } catch (Failed e) {
      status = file.compensates() ? RunStatus.COMPENSATED : RunStatus.FAILED;
    }
    if (status == RunStatus.COMPENSATED) {
      undos.add(
          sendings.subList(before, sendings.size()).stream()
              .filter(sent -> sent.undone && isOwn(sent, id))
              .toList());
    }
    return new Expected(status, sendings, undos, published, asked, reworked, carried, outputs);
  }

  /** Of a step that did not run or was passed over nothing is known. */
  private static Facts facts(Part part, @Nullable Object output, Env env) {
    if (output == null || output instanceof PassedOver) {
      return Facts.NONE;
    }
    return switch (part.does()) {
      case TWICE -> new Facts(false, true, false, env.label(part.id() + "first"));
      case VERSIONS -> new Facts(true, true, false, env.label(part.id() + "tie"));
      case FOUND -> new Facts(false, false, null, env.label(part.id()));
      default -> Facts.NONE;
    };
  }

  /** Children that have ended are not undone with their caller. */
  private static boolean isOwn(Sending sent, String id) {
    String behindStep = sent.label.substring(sent.label.indexOf(' ') + 1);
    return behindStep.equals(id)
        || behindStep.startsWith(id + " i")
        || behindStep.startsWith(id + " n")
        || behindStep.startsWith(id + " r");
  }

  /** The output of the last one. */
  private @Nullable Object steps(List<Part> parts, Env env, Map<String, @Nullable Object> outputs) {
    Object last = null;
    for (int i = 0; i < parts.size(); i++) {
      last = step(parts.get(i), env.at(i, false));
      outputs.put(parts.get(i).id(), last);
    }
    return last instanceof PassedOver ? null : last;
  }

  private @Nullable Object step(Part part, Env env) {
    try {
      boolean isPerItem = part.items() > 0 && part.when() == Part.Condition.FIRST;
      if (part.does() == Part.Does.REWORK) {
        return rounds(part, env);
      }
      if (!isPerItem && !holds(part.when(), env)) {
        return null;
      }
      return part.items() == 0 ? carryOut(part, env) : items(part, env, isPerItem);
    } catch (Failed e) {
      if (!part.goesOn() || part.does() == Part.Does.REWORK) {
        throw e;
      }
      return new PassedOver();
    }
  }

  private Object items(Part part, Env env, boolean isPerItem) {
    int failed = 0;
    var ends = new ArrayList<ItemEnd>();
    for (int number = 1; number <= part.items(); number++) {
      Env item = env.inItem(number);
      String name = item.label(part.id());
      if (endedBefore.contains(name)) {
        item = item.before();
      }
      boolean fails = false;
      Object output = null;
      try {
        if (!isPerItem || holds(part.when(), item)) {
          output = carryOut(part, item);
        }
      } catch (Failed e) {
        fails = !part.goesOn();
      }
      fails |= item.partial[0];
      failed += fails ? 1 : 0;
      ends.add(new ItemEnd(String.valueOf(item.item), fails, output));
      if (!fails) {
        ended.add(name);
      }
    }
    env.partial[0] |= failed > 0;
    return new Looped(Map.of("succeeded", part.items() - failed, "failed", failed), ends);
  }

  /** Work, and a question whether it is done; a failure of the work is none of the question. */
  private @Nullable Object rounds(Part part, Env env) {
    for (int number = 1; ; number++) {
      Env round = env.inRound(number);
      steps(part.blocks().getFirst(), round, new LinkedHashMap<>());
      if (!holds(part.when(), round)) {
        return null;
      }
      announce(part, env, number);
      switch (part.decisions().get(number - 1)) {
        case REWORK -> {}
        case APPROVE, SILENCE_APPROVES -> {
          return "approve";
        }
        case REJECT_MILDLY -> {
          return "reject";
        }
        case REJECT, SILENCE_REJECTS -> {
          if (part.goesOn()) {
            return new PassedOver();
          }
          throw new Failed();
        }
      }
    }
  }

  private void announce(Part part, Env env, int round) {
    if (part.isAnnounced()) {
      asked.add(HeardPeople.question(env.label(part.id()) + "?", round));
    }
  }

  /** An effect whose key is the same in each round; its content is not. */
  private Object sameKey(Part part, Env env) {
    String label = env.label(part.id());
    String key = env.inAnyRound(part.id());
    String before = sentUnder.get(key);
    if (before != null) {
      reworked.add(part.reworked());
      switch (part.reworked()) {
        case REUSED, KEPT -> {
          return Map.of("label", before);
        }
        case SENT -> {}
        case REVISED -> {
          sendings.replaceAll(sent -> sent.label.equals(before) ? sent.undoneBefore() : sent);
          List<Spot> where = env.at(0, false).where;
          sendings.add(new Sending("undo " + before, Part.Guard.KEYED, where, false));
        }
      }
    }
    sentUnder.put(key, label);
    boolean isUndone = part.reworked() == Part.Reworked.REVISED;
    sendings.add(new Sending(label, Part.Guard.KEYED, env.at(1, false).where, isUndone));
    return Map.of("label", label);
  }

  /** Operations on an entry that no other step has. */
  private static @Nullable Object kv(Part part, String label) {
    return switch (part.kvCall()) {
      case PUT, PUT_IF_ABSENT, COMPARE_AND_SET, TRANSITION -> value(part, label);
      case ADD -> 7;
      case GET, DELETE -> null;
    };
  }

  private static Map<String, Object> value(Part part, String label) {
    return Map.of("v", label, "hostile", new Carried(HostileValues.expected(part)));
  }

  private @Nullable Object carryOut(Part part, Env env) {
    String label = env.label(part.id());
    return switch (part.does()) {
      case SEND -> {
        if (part.rejected() && !env.isRepaired) {
          throw new Failed();
        }
        sendings.add(new Sending(label, part.guard(), env.where, part.undone()));
        if (part.guard() != Part.Guard.MAIL && part.guard() != Part.Guard.TRANSACTION) {
          carried.put(label, HostileValues.expected(part));
        }
        yield switch (part.guard()) {
          case SKIP, MAIL -> ANYTHING;
          case TRANSACTION -> Map.of("rows", List.of(), "count", 1);
          default -> Map.of("label", label);
        };
      }
      case READ -> Map.of("label", label);
      case SET -> value(part, label);
      case KV -> kv(part, label);
      case SAME_KEY -> sameKey(part, env);
      case WAIT_FOR, WAIT_UNTIL -> null;
      case CALLBACK -> {
        String ask = env.label(part.id() + "ask");
        sendings.add(new Sending(ask, Part.Guard.KEYED, env.at(0, false).where, false));
        if (part.decisions().getFirst() == Part.Decision.SILENCE_REJECTS) {
          throw new Failed();
        }
        yield "answer to " + ask;
      }
      case ASK -> {
        if (part.sendsLink()) {
          String link = env.label(part.id() + "link");
          sendings.add(new Sending(link, Part.Guard.KEYED, env.at(0, false).where, false));
        }
        announce(part, env, Math.max(1, env.round));
        yield switch (part.decisions().getFirst()) {
          case APPROVE, SILENCE_APPROVES -> "approve";
          case REJECT_MILDLY -> "reject";
          default -> throw new Failed();
        };
      }
      case CHILD -> {
        PlannedFile file = files.reversed().get(part.child());
        String name = "run " + label;
        boolean isRepaired = env.isRepaired && !endedBefore.contains(name);
        Expected child = run(file, label, env.where, isRepaired);
        if (child.status != RunStatus.SUCCEEDED) {
          throw new Failed();
        }
        ended.add(name);
        yield child.outputs;
      }
      case DETACH -> {
        String name = "run " + label;
        boolean isRepaired = env.isRepaired && !endedBefore.contains(name);
        List<Spot> beside = env.where.stream().map(spot -> new Spot(spot.index, true)).toList();
        run(files.reversed().get(part.child()), label, beside, isRepaired);
        ended.add(name); // however it ends, nobody retries it
        yield ANYTHING;
      }
      case TWICE -> {
        String first = env.label(part.id() + "first");
        sendings.add(new Sending(first, Part.Guard.KEYED, env.where, false));
        yield Map.of("label", first);
      }
      case VERSIONS -> {
        for (String sent : List.of("new", "tie")) {
          List<Spot> where = env.at(sent.equals("new") ? 0 : 1, false).where;
          String what = env.label(part.id() + sent);
          sendings.add(new Sending(what, Part.Guard.UPSERT, where, false));
        }
        yield ANYTHING;
      }
      case FOUND -> Map.of("label", label);
      case FAIL -> throw new Failed();
      case RESOURCE -> ANYTHING;
      case PUBLISH -> {
        published.add(label);
        carried.put(label, HostileValues.expected(part));
        yield ANYTHING;
      }
      case CHOOSE -> {
        for (int i = 0; i < part.blocks().size(); i++) {
          if (holds(part.conditions().get(i), env)) {
            yield steps(part.blocks().get(i), env.at(i, false), new LinkedHashMap<>());
          }
        }
        yield null;
      }
      case PARALLEL -> parallel(part, env);
      case EACH -> steps(part.blocks().getFirst(), env.at(0, false), new LinkedHashMap<>());
      case RETURN -> throw new Returned(label);
      case REPEAT -> repeated(part, env);
      case REWORK -> throw new IllegalStateException("rounds are no step");
    };
  }

  /** Rounds that ended well stay as they are when the run is retried. */
  private @Nullable Object repeated(Part part, Env env) {
    Object last = null;
    for (int number = 0; number < part.times(); number++) {
      Env round = env.again(number);
      String name = round.label(part.id());
      if (endedBefore.contains(name)) {
        round = round.before();
      }
      last = steps(part.blocks().getFirst(), round, new LinkedHashMap<>());
      if (round.partial[0]) {
        throw new Failed();
      }
      ended.add(name);
    }
    return last;
  }

  /** All of them come to their end before one of them fails the step. */
  private Object parallel(Part part, Env env) {
    var outputs = new LinkedHashMap<String, @Nullable Object>();
    boolean failed = false;
    for (int i = 0; i < part.blocks().size(); i++) {
      try {
        outputs.put("b" + i, steps(part.blocks().get(i), env.at(i, true), new LinkedHashMap<>()));
      } catch (Failed e) {
        failed = true;
      }
    }
    if (failed) {
      throw new Failed();
    }
    return outputs;
  }

  private static boolean holds(Part.Condition condition, Env env) {
    return switch (condition) {
      case NONE, YES, NOW -> true;
      case NO, NOT_NOW -> false;
      case FIRST -> env.item != null && env.item.endsWith("1");
      case AGAIN -> env.round > 1;
    };
  }
}
