package dev.hapax.flows.connection;

import org.jspecify.annotations.Nullable;

/**
 * The answer of a machine to an order.
 *
 * @param exit the exit code; null if the job has not ended
 * @param stdout the text; or what stands for it if it is too large for a value
 * @param stderr like stdout
 */
public record RemoteAnswer(
    RemoteState state, @Nullable Integer exit, Object stdout, Object stderr) {
  public static final RemoteAnswer DONE = new RemoteAnswer(RemoteState.ENDED, 0, "", "");
}
