package dev.hapax.app.crash;

/**
 * What an order sends.
 *
 * @param quote chance that a step has recorded: a run must not show two values of it to the outside
 * @param renderedBy the process that rendered the request: one that sends again must send the
 *     stored bytes, not its own
 */
record Charge(String order, String quote, int renderedBy) {}
