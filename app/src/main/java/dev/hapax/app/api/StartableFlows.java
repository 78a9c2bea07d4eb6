package dev.hapax.app.api;

import dev.hapax.app.http.Problem;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Finds the flows that can be started, by tenant and name. */
public interface StartableFlows {
  /** Returns the live release; null if there is none. */
  @Nullable Startable find(String tenant, String flow);

  /** Returns the draft, whose runs send nothing; a problem if there is none or it has errors. */
  Startable draft(String tenant, String flow);

  /** Returns the names of the flows that have this label now. */
  Set<String> labelled(String tenant, String label);

  /** Returns at most this many names of flows that begin with this, in order. */
  List<String> beginningWith(String tenant, String beginning, int most);

  /** Returns the live release, or the one that was live when the flow was retired. */
  @Nullable Startable lastLive(String tenant, String flow);

  /** Returns why nothing can start a flow that is retired; null if it is not. */
  @Nullable Problem whyRetired(String tenant, String flow);

  /**
   * Returns where the live release reads the output of this effect, in words; null if it does not.
   * Knows effects that are named after their flow and step.
   */
  @Nullable String readerOf(String tenant, String effect);

  /** Returns a certain release; null if it is not known. */
  @Nullable Startable find(String tenant, String flow, int release);
}
