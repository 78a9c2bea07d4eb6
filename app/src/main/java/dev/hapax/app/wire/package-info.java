/** The public JSON as records. Field names never change without a new major version. */
@NullMarked
package dev.hapax.app.wire;

import org.jspecify.annotations.NullMarked;
