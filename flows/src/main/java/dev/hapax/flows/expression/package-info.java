/** CEL inside {@code ${ }}: what an expression can reach, its limits, and texts made of them. */
@NullMarked
package dev.hapax.flows.expression;

import org.jspecify.annotations.NullMarked;
