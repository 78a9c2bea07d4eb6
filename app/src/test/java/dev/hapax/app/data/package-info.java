/** Tests of what the server remembers. */
@NullMarked
package dev.hapax.app.data;

import org.jspecify.annotations.NullMarked;
