/** The web UI in a real browser, and its client against the API. */
@NullMarked
package dev.hapax.app.ui;

import org.jspecify.annotations.NullMarked;
