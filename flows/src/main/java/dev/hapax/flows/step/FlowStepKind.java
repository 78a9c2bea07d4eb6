package dev.hapax.flows.step;

import dev.hapax.flows.alert.ChannelForm;
import dev.hapax.flows.connection.ConnectionKind;
import dev.hapax.flows.expression.Position;
import dev.hapax.flows.expression.Template;
import dev.hapax.flows.yaml.JsonSchema;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What a step does. A kind is one file: its record, its form in flow files, its reader, its
 * execution and its words. The rules of check, the interpreter and the picture ask the methods
 * below, so a new kind answers them and changes nothing else; {@link StepKinds} lists all kinds.
 */
public interface FlowStepKind {
  /** The kind's key in the file. */
  String word();

  Position position();

  /** Its own texts that may contain expressions, without those of inner steps. */
  Stream<Template> templates();

  /** Returns the step's output; throws StepFailed if it failed for good. */
  @Nullable Object run(StepRun step) throws Exception;

  /** Describes the step in a few words, for the picture. */
  String description();

  // ---- for the picture

  /** How the picture shows a step. */
  enum Look {
    STEP,
    WAIT,
    ASK,
    CHILD,
    BRANCHES,
    FAIL,
    RETURN
  }

  default Look look() {
    return Look.STEP;
  }

  /** A second line about the step; null if there is none. */
  default @Nullable String note() {
    return null;
  }

  // ---- for the interpreter

  /**
   * A list of inner steps.
   *
   * @param when the condition that chooses it; null if there is none
   */
  record Branch(Position position, String name, @Nullable Template when, List<FlowStep> steps) {}

  /** Its inner steps; empty for most kinds. */
  default List<Branch> branches() {
    return List.of();
  }

  /** Whether it has one branch, which always runs. */
  default boolean isBlock() {
    return false;
  }

  /** Whether its branch runs in rounds, each of which sees the results of the round before. */
  default boolean isRepeated() {
    return false;
  }

  /** Whether only the first branch runs whose condition holds; otherwise all of them run. */
  default boolean takesOneBranch() {
    return false;
  }

  /**
   * Whether its output has been bounded already, or consists of the outputs of inner steps.
   * Otherwise the step fails if its output is larger than a value may be.
   */
  default boolean boundsItsOutput() {
    return !branches().isEmpty();
  }

  /** The earlier step to which it may send the run back; null if it never does. */
  default @Nullable String rework() {
    return null;
  }

  // ---- for the engine's registry

  /** The flow that it runs as a child; null if it runs none. */
  default @Nullable String childFlow() {
    return null;
  }

  /** The flows that a model may run as tools of it. */
  default List<String> toolFlows() {
    return List.of();
  }

  /** All flows that it may start. */
  default List<String> startedFlows() {
    String child = childFlow();
    return child == null ? toolFlows() : List.of(child);
  }

  /** The destination of its messages in the outbox; null if it publishes none. */
  default @Nullable String courier() {
    return null;
  }

  /**
   * The schema of the answer that it waits for; null if any answer fits, or if it waits for none.
   */
  default @Nullable JsonSchema answerSchema() {
    return null;
  }

  /** The connections that it uses itself, without those of inner steps. */
  default Stream<String> connections() {
    return Stream.empty();
  }

  /** The kind that its connections must have; null if any will do, or if it uses none. */
  default @Nullable ConnectionKind connectionKind() {
    return null;
  }

  /** The kinds of which its connections must have one; empty if any will do. */
  default List<ConnectionKind> connectionKinds() {
    ConnectionKind kind = connectionKind();
    return kind == null ? List.of() : List.of(kind);
  }

  /** The handler in Java that it calls; null if it calls none. */
  default @Nullable String handler() {
    return null;
  }

  // ---- for the checklist

  /**
   * A wait, in words.
   *
   * @param kind what it waits for
   * @param answeredBy the people or systems that end it
   * @param end what happens if they do not
   */
  record Waiting(String kind, String answeredBy, String end) {}

  /** Returns null if it does not wait. */
  default @Nullable Waiting waiting() {
    return null;
  }

  /**
   * A question to a language model, in words.
   *
   * @param found who finds the answer again
   * @param budget what it may cost
   */
  record Asked(int maxTokens, String found, String budget) {}

  /** Returns null if it asks no model. */
  default @Nullable Asked asked() {
    return null;
  }

  // ---- for the rules of check

  /** What to use until this version can run the kind; null if it can. */
  default @Nullable String insteadOfIt() {
    return null;
  }

  /** Says what becomes of a message whose delivery has an unknown outcome, for the checklist. */
  default String deliveredAgain() {
    return "delivered again with the same id until the receiver accepts it; the receiver removes"
        + " duplicates by the id";
  }

  /** Its HTTP request; null if it makes none. */
  default @Nullable HttpTemplate http() {
    return null;
  }

  /** A key that it computes: its text, and its name for people. */
  record Key(Template template, String what) {}

  /** The key of the run that it starts; null if it starts none or gives no key. */
  default @Nullable Key childKey() {
    return null;
  }

  /** The key of the entry in the durable map that it writes; null if it writes none. */
  default @Nullable Template writtenEntry() {
    return null;
  }

  /** The key of the entry in the durable map that it reads; null if it reads none. */
  default @Nullable Template readEntry() {
    return null;
  }

  /** Whether it changes nothing, so that it is useless if nothing reads its output. */
  default boolean onlyReads() {
    return false;
  }

  /** Whether it can fail the run, apart from failing expressions. */
  default boolean canFail() {
    return branches().isEmpty()
        || branches().stream()
            .flatMap(branch -> branch.steps().stream())
            .anyMatch(FlowStep::canFail);
  }

  /** Whether it always fails. */
  default boolean alwaysFails() {
    return false;
  }

  /** Whether it ends the run, with an output. */
  default boolean returns() {
    return false;
  }

  /** Whether its output is computed from its own texts only. */
  default boolean passesValuesOn() {
    return false;
  }

  /** How its output depends on its own texts. */
  enum Follows {
    /** The output does not depend on them, or is recorded under a key. */
    NOT,
    /** Other texts may give another output, as another request gets another answer. */
    MAYBE,
    SURELY
  }

  /** Says whether the words of a model in its texts are in its output, too. */
  default Follows follows() {
    return passesValuesOn() ? Follows.SURELY : Follows.NOT;
  }

  /** Whether a language model writes its output, which is different each time. */
  default boolean isWrittenByModel() {
    return false;
  }

  /** The schema of the model's answer; null if there is none. */
  default @Nullable JsonSchema modelSchema() {
    return null;
  }

  /** Whether an answer of the model is kept, so that another attempt finds it. */
  default boolean keepsItsAnswer() {
    return true;
  }

  /** False for a step with errors, of which nothing but its id is known. */
  default boolean isRead() {
    return true;
  }

  /** Whether it waits for people to decide; a link can lead to such a step. */
  default boolean asksPeople() {
    return false;
  }

  /** Whether it waits for an answer from outside. */
  default boolean awaitsCallback() {
    return false;
  }

  /**
   * Returns who alone may decide, for a message, if it is also approved without a person; null if
   * it is not.
   */
  default @Nullable String decidersThatMayBeMissed() {
    return null;
  }

  /** Returns the channels on which it tells people that it waits for them. */
  default Stream<ChannelForm> channels() {
    return Stream.empty();
  }

  /** Whether it may wait forever for people to decide. */
  default boolean asksForever() {
    return false;
  }
}
