/** Channels of messages to people: alerts, gathered by cause, and notices of approvals. */
@NullMarked
package dev.hapax.flows.alert;

import org.jspecify.annotations.NullMarked;
