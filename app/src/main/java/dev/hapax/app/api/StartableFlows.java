package dev.hapax.app.api;

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

  /** Returns a certain release; null if it is not known. */
  @Nullable Startable find(String tenant, String flow, int release);
}
