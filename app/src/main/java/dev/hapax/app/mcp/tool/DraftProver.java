package dev.hapax.app.mcp.tool;

import dev.hapax.app.http.Call;
import java.util.List;
import java.util.Map;

/** Proves drafts in memory. Called by many threads at once. */
@FunctionalInterface
public interface DraftProver {
  /**
   * Returns the proof of a draft, as {@code hapax prove --json} has it. Takes a few seconds.
   *
   * @throws dev.hapax.app.http.Problem {@code not-found}, {@code findings} if the draft has errors,
   *     {@code rate-limited} if another proof is under way
   */
  List<Map<String, ?>> prove(Call caller, String flow) throws InterruptedException;
}
