/** Events from other systems: acknowledged when they are durable, decided once. */
@NullMarked
package dev.hapax.inbox;

import org.jspecify.annotations.NullMarked;
