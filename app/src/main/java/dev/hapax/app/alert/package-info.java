/** Alerts of the server: which channels there are, what was sent, a test, and the disk. */
@NullMarked
package dev.hapax.app.alert;

import org.jspecify.annotations.NullMarked;
