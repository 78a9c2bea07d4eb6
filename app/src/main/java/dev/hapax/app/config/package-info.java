/** How the server is set up: read once, and all problems refused together. */
@NullMarked
package dev.hapax.app.config;

import org.jspecify.annotations.NullMarked;
