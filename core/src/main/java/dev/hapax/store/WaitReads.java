package dev.hapax.store;

import dev.hapax.flow.ApprovalFilter;
import dev.hapax.flow.Fingerprint;
import dev.hapax.flow.Step;
import dev.hapax.run.wait.Wait;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads waits for callbacks and approvals. Reading decides nothing. */
public interface WaitReads {
  @Nullable Wait find(long number);

  /** The callback wait, or the link, whose token has this SHA-256. */
  @Nullable Wait find(Fingerprint token);

  /** All waits of a run, in order of creation. */
  List<Wait> ofRun(long run);

  /** The newest approval that this step of the run has asked for; null if it has not asked. */
  @Nullable Wait approval(long run, Step step);

  /** Newest first. */
  List<Wait> approvals(ApprovalFilter filter);

  /** The answers that came after the run's waits were settled, in the order of arrival. */
  List<Wait.LaterAnswer> laterAnswers(long run);
}
