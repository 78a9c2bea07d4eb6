/** What is special about PostgreSQL; what every store does is in the contract. */
@NullMarked
package dev.hapax.store.postgres;

import org.jspecify.annotations.NullMarked;
