/** The durable map of a tenant, from outside of runs. */
@NullMarked
package dev.hapax.kv;

import org.jspecify.annotations.NullMarked;
