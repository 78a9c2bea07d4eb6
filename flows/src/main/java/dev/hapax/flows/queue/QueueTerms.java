package dev.hapax.flows.queue;

import dev.hapax.flows.connection.Connection;
import org.jspecify.annotations.Nullable;

/**
 * What a consumer reads, and how.
 *
 * @param queue the table, topic or queue
 * @param group whose consumers share the messages; never empty, also where a broker has no groups
 * @param isOwnGroup whether the file names the group
 * @param batch the most messages at once
 * @param ordered whether messages must be received in their order
 * @param from where a group without a position begins; null if the file does not say
 * @param done {@code delete}, or the column that marks a row that was received; null: delete
 */
public record QueueTerms(
    String queue,
    String group,
    boolean isOwnGroup,
    int batch,
    boolean ordered,
    @Nullable QueueStart from,
    @Nullable String done) {
  private static final int USUAL_BATCH = 100;

  /** Its consumer limits the bytes of a fetch; one commit then costs little more. */
  private static final int USUAL_BATCH_OF_KAFKA = 500;

  /** Returns the most messages at once, if the file does not say. */
  public static int usualBatch(Connection connection) {
    return connection instanceof Connection.Kafka ? USUAL_BATCH_OF_KAFKA : USUAL_BATCH;
  }

  /**
   * Returns which of these members the broker does not have, and what to do; null if all are fine.
   *
   * @param broker what has no such thing, such as "a table"
   */
  public @Nullable String unfit(String broker, boolean hasGroups, boolean hasDone) {
    String member =
        isOwnGroup && !hasGroups
            ? "group"
            : from != null && !hasGroups ? "from" : done != null && !hasDone ? "done" : null;
    return member == null
        ? null
        : "%s: %s has no such thing. Leave it out".formatted(member, broker);
  }
}
