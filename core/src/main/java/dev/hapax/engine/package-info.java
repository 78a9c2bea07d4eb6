/** Executes runs: claims them, replays their journals, decides the next step. */
@NullMarked
package dev.hapax.engine;

import org.jspecify.annotations.NullMarked;
