/** Real answers of destinations, in files beside the flows, and how requests find them again. */
@NullMarked
package dev.hapax.trial.recording;

import org.jspecify.annotations.NullMarked;
