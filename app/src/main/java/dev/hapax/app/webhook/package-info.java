/** Webhooks: verifies deliveries and reads their events. */
@NullMarked
package dev.hapax.app.webhook;

import org.jspecify.annotations.NullMarked;
