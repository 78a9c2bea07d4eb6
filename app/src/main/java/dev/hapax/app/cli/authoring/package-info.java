/** The verbs for flows: check a file, push, release and promote it, schedule it. */
@NullMarked
package dev.hapax.app.cli.authoring;

import org.jspecify.annotations.NullMarked;
