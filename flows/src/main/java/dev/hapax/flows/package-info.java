/** The door of flow files: read, check, and turn into a flow of core. */
@NullMarked
package dev.hapax.flows;

import org.jspecify.annotations.NullMarked;
