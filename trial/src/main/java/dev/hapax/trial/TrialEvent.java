package dev.hapax.trial;

/** Something from outside that a trigger of a flow receives. */
public sealed interface TrialEvent permits WebhookCall, QueuedMessage {}
