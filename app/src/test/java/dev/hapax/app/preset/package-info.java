/** Presets against stand-ins that behave as the providers document. */
@NullMarked
package dev.hapax.app.preset;

import org.jspecify.annotations.NullMarked;
