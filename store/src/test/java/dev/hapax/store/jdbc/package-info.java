/** How the statements that all databases share are executed. */
@NullMarked
package dev.hapax.store.jdbc;

import org.jspecify.annotations.NullMarked;
