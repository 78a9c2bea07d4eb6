package dev.hapax.run;

/**
 * A run under a key that had one before, which has expired or was forgotten. What is left of the
 * earlier one stays for as long as anything of the later one does: starts find the later through
 * it.
 *
 * @param predecessor the id of the generation before
 * @param renews whether the key came again after its retention, where the flow wants a new run:
 *     then expired effects may be sent again too; a forgotten key never forgets its effects
 */
public record Succession(RunId predecessor, boolean renews) {}
