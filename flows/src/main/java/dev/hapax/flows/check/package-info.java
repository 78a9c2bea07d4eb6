/** The questions that a careful engineer asks before shipping a flow: a class per rule. */
@NullMarked
package dev.hapax.flows.check;

import org.jspecify.annotations.NullMarked;
