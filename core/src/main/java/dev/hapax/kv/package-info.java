/** The durable map of a tenant, for use outside runs. */
@NullMarked
package dev.hapax.kv;

import org.jspecify.annotations.NullMarked;
