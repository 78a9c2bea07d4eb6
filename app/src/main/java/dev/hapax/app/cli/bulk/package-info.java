/** The verbs for work on many runs, effects or events, and for jobs. */
@NullMarked
package dev.hapax.app.cli.bulk;

import org.jspecify.annotations.NullMarked;
