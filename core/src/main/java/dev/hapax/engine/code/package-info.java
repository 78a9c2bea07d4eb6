/** The code of flows, as this process has it. */
@NullMarked
package dev.hapax.engine.code;

import org.jspecify.annotations.NullMarked;
