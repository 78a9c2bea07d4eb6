package dev.hapax.app.alert;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The channels of a tenant, and the newest deliveries.
 *
 * @param channels by name
 * @param deployed the alerts of the tenant as a deployment wrote them; null if none did
 * @param deliveries newest first
 */
record AlertsView(
    List<ChannelView> channels, @Nullable JsonNode deployed, List<DeliveryView> deliveries) {

  /**
   * A channel.
   *
   * @param channel its name, for example {@code email/smtp}
   * @param to the recipients of a mail
   * @param alerts that go there
   * @param flow whose file names it; null: the settings of the server or a deployment do
   */
  record ChannelView(String channel, List<String> to, List<String> alerts, @Nullable String flow) {}

  /**
   * A message to a channel.
   *
   * @param type for example {@code hapax.alert.failed}
   * @param state of its run
   * @param problem why it is not delivered; null if there is no known problem
   */
  record DeliveryView(
      String id,
      String channel,
      String type,
      String state,
      Instant at,
      String run,
      @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String problem) {}
}
