/** Skeleton flows from other systems, and the decisions that a person must make about them. */
@NullMarked
package dev.hapax.flows.skeleton;

import org.jspecify.annotations.NullMarked;
