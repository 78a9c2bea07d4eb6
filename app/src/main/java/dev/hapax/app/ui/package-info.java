/**
 * Shows the web UI to browsers: the files of the module {@code ui}, and the page that names them.
 */
@NullMarked
package dev.hapax.app.ui;

import org.jspecify.annotations.NullMarked;
