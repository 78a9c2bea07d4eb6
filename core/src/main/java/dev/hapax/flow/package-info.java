/** What a flow is made of: its body, its steps' contracts, its rules. Imports nothing of ours. */
@NullMarked
package dev.hapax.flow;

import org.jspecify.annotations.NullMarked;
