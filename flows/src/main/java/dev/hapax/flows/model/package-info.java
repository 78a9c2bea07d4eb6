/** What language models are asked and answer, in the words of their providers. */
@NullMarked
package dev.hapax.flows.model;

import org.jspecify.annotations.NullMarked;
