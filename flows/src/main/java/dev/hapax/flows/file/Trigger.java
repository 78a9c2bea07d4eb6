package dev.hapax.flows.file;

import dev.hapax.flows.expression.Position;
import dev.hapax.flows.expression.Template;
import dev.hapax.flows.expression.ValueTemplate;
import java.time.ZoneId;
import org.jspecify.annotations.Nullable;

/** Starts runs of a flow, besides the API. */
public sealed interface Trigger {
  Position position();

  /** A call from outside, POST /hooks/path. */
  record Webhook(
      Position position,
      String path,
      Verify verify,
      @Nullable Template event,
      @Nullable Template object,
      @Nullable Template version,
      @Nullable Template time,
      @Nullable ValueTemplate input)
      implements Trigger {}

  /** How a webhook's signature is checked. */
  record Verify(
      Position position, Scheme scheme, @Nullable String secret, @Nullable String header) {}

  /** The signature scheme. */
  enum Scheme {
    STRIPE,
    GITHUB,
    SLACK,
    STANDARD_WEBHOOKS,
    HMAC,
    NONE
  }

  /** The instants of a cron expression. */
  record Schedule(
      Position position,
      String name,
      Cron cron,
      @Nullable ZoneId timezone,
      CatchUp catchUp,
      @Nullable ValueTemplate input)
      implements Trigger {}

  /** Which missed instants are made up for. */
  enum CatchUp {
    NONE,
    LATEST,
    ALL
  }

  /** Messages of a queue. */
  record Queue(
      Position position,
      String connection,
      String queue,
      @Nullable Template event,
      @Nullable ValueTemplate input)
      implements Trigger {}
}
