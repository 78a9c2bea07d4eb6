/** What is known about providers: their connections, keys, lookups and webhooks, one file each. */
@NullMarked
package dev.hapax.flows.preset;

import org.jspecify.annotations.NullMarked;
