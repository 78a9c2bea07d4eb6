package dev.hapax.app.webhook;

import dev.hapax.app.release.FlowName;
import dev.hapax.flows.LoadedFlow;
import dev.hapax.flows.trigger.WebhookTrigger;

/** A webhook of a live release. */
record Hook(FlowName owner, LoadedFlow flow, WebhookTrigger trigger) {}
