/** Webhooks at the door: who sent a delivery, and which event it tells. */
@NullMarked
package dev.hapax.app.webhook;

import org.jspecify.annotations.NullMarked;
