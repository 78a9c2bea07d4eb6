/** The server's own data, as records in the durable map. */
@NullMarked
package dev.hapax.app.data;

import org.jspecify.annotations.NullMarked;
