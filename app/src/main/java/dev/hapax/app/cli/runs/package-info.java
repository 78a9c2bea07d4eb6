/** The verbs for runs and their parts: effects, reviews, approvals, received events. */
@NullMarked
package dev.hapax.app.cli.runs;

import org.jspecify.annotations.NullMarked;
