package dev.hapax.flows.simulation;

import java.util.List;
import java.util.stream.Stream;

/**
 * A step of a generated flow file, before it is written down: what the file says in words, the
 * model goes by.
 *
 * @param items how many items its forEach has; 0 if it has none
 * @param goesOn whether a failure of it is passed over
 * @param rejected whether the destination refuses it, always
 * @param undone whether it says how it is undone
 * @param isLocked whether it is done under the file's lock
 * @param seconds how long it waits
 * @param conditions of a choice: one per block
 * @param blocks the steps inside it: branches, choices, or the work of rounds
 * @param decisions what people answer: one per round
 * @param child which of the other files it calls
 * @param times how many rounds a repetition has
 */
record Part(
    String id,
    Does does,
    Condition when,
    int items,
    boolean goesOn,
    Guard guard,
    boolean rejected,
    boolean undone,
    boolean isLocked,
    int seconds,
    List<Condition> conditions,
    List<List<Part>> blocks,
    List<Decision> decisions,
    int child,
    int times) {

  /** What kind of step it is. */
  enum Does {
    SEND,
    READ,
    SET,
    KV,
    WAIT_FOR,
    WAIT_UNTIL,
    CHOOSE,
    PARALLEL,
    CALLBACK,
    ASK,
    REWORK,
    CHILD,
    FAIL,
    PUBLISH,
    RESOURCE,
    /** A list of steps for each item. */
    EACH,
    /** The run ends, with an output. */
    RETURN,
    /** Rounds, until there were enough. */
    REPEAT,
    /** Two steps with one effect: the second gets the result of the first. */
    TWICE,
    /** A new version, other content under the same version, and an old version. */
    VERSIONS,
    /** An effect that its lookup finds before it is sent. */
    FOUND,
    /** A child that goes on by itself. */
    DETACH,
    /** In rounds: an effect with the same key and other content in each of them. */
    SAME_KEY
  }

  /** What a file does with the durable map. */
  enum KvCall {
    PUT,
    PUT_IF_ABSENT,
    COMPARE_AND_SET,
    TRANSITION,
    ADD,
    GET,
    DELETE
  }

  /** What becomes of an effect that a later round meets with other content. */
  enum Reworked {
    REUSED,
    /** A person is asked, and keeps what was sent. */
    KEPT,
    /** A person is asked, and has the new content sent. */
    SENT,
    /** It is undone, and the new content is sent. */
    REVISED
  }

  /** Who removes the duplicate. */
  enum Guard {
    KEYED,
    UPSERT,
    LOOKUP,
    /** A handler in Java, keyed. */
    HANDLER,
    /** A row that commits with the write. */
    TRANSACTION,
    /** Nothing: a mail. */
    MAIL,
    REVIEW,
    SKIP
  }

  /** When it is left out. */
  enum Condition {
    NONE,
    YES,
    NO,
    /** As the moment says, which is recorded. */
    NOW,
    NOT_NOW,
    /** For the first item of the innermost loop. */
    FIRST,
    /** From the second round on. */
    AGAIN
  }

  /** What a person says. */
  enum Decision {
    APPROVE,
    REJECT,
    /** Rejected, and the file says that the run goes on. */
    REJECT_MILDLY,
    /** No answer comes, and the file says that this is a yes. */
    SILENCE_APPROVES,
    /** No answer comes, and the file says that this is a no. */
    SILENCE_REJECTS,
    REWORK
  }

  KvCall kvCall() {
    return KvCall.values()[seconds % KvCall.values().length];
  }

  Reworked reworked() {
    return Reworked.values()[seconds % Reworked.values().length];
  }

  /** Whether a message announces the approval. */
  boolean isAnnounced() {
    return (does == Does.ASK || does == Does.REWORK) && seconds % 3 != 0;
  }

  /** Whether a step before it sends the link to this approval; each item would need its own. */
  boolean sendsLink() {
    return does == Does.ASK && items == 0;
  }

  static Stream<Part> all(List<Part> parts) {
    return parts.stream()
        .flatMap(part -> Stream.concat(Stream.of(part), part.blocks.stream().flatMap(Part::all)));
  }
}
