/** The settings of the server: read once, and all problems reported together. */
@NullMarked
package dev.hapax.app.config;

import org.jspecify.annotations.NullMarked;
