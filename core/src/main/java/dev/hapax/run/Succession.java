package dev.hapax.run;

import dev.hapax.flow.RunId;

/**
 * A run under a key that had one before, which has expired or was forgotten. The remains of the
 * earlier run stay as long as anything of the later one, because starts find the later run through
 * it.
 *
 * @param predecessor the id of the generation before
 * @param renews whether the key was used again after its retention, in a flow that wants a new run
 *     then: expired effects may then be sent again too; a forgotten key never forgets its effects
 */
public record Succession(RunId predecessor, boolean renews) {}
