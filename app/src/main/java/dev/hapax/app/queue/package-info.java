/** Queue triggers: messages of brokers become events of the inbox, and then are acknowledged. */
@NullMarked
package dev.hapax.app.queue;

import org.jspecify.annotations.NullMarked;
