/** Connections as people write them: one form, and a reader for each kind. */
@NullMarked
package dev.hapax.app.secret.form;

import org.jspecify.annotations.NullMarked;
