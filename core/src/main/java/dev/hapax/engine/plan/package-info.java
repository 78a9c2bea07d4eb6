/** Says what a replay of a run would send, without sending or writing anything. */
@NullMarked
package dev.hapax.engine.plan;

import org.jspecify.annotations.NullMarked;
