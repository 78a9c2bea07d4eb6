package dev.hapax.app.webhook;

import dev.hapax.app.release.EventOrigin;
import dev.hapax.app.release.EventOrigins;
import dev.hapax.app.release.FlowName;
import dev.hapax.app.release.Flows;
import dev.hapax.app.release.HookPaths;
import dev.hapax.flows.LoadedFlow;
import dev.hapax.flows.trigger.Trigger;
import dev.hapax.flows.trigger.WebhookTrigger;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The webhooks of all live releases. */
final class Hooks implements EventOrigins {
  private final HookPaths paths;
  private final Flows flows;

  Hooks(HookPaths paths, Flows flows) {
    this.paths = paths;
    this.flows = flows;
  }

  /** Returns the webhook at this path below {@code /hooks/}; null if there is none. */
  @Nullable Hook at(String address) {
    FlowName owner = paths.owner(address);
    return owner == null
        ? null
        : of(owner, webhook -> paths.address(owner, webhook.path()).equals(address));
  }

  /** Returns the webhook of a tenant that has this path in its flow file; null if none has. */
  @Nullable Hook of(String tenant, String path) {
    FlowName owner = paths.owner(tenant, path);
    return owner == null ? null : of(owner, webhook -> webhook.path().equals(path));
  }

  @Override
  public @Nullable EventOrigin find(String tenant, String source) {
    Hook hook = of(tenant, source);
    return hook == null
        ? null
        : new EventOrigin(hook.owner(), WebhookEvent.sourceOf(hook.flow(), hook.trigger()));
  }

  private @Nullable Hook of(FlowName owner, Predicate<WebhookTrigger> which) {
    LoadedFlow flow = flows.find(owner.tenant(), owner.flow());
    if (flow == null) {
      return null;
    }
    for (Trigger trigger : flow.file().triggers()) {
      if (trigger instanceof WebhookTrigger webhook && which.test(webhook)) {
        return new Hook(owner, flow, webhook);
      }
    }
    return null;
  }
}
