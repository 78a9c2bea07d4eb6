package dev.hapax.app.release;

import dev.hapax.Source;

/**
 * The trigger of a live release that the events of a source belong to.
 *
 * @param source what its events start now
 */
public record EventOrigin(FlowName owner, Source<?, ?> source) {}
