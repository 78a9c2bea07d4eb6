package dev.hapax.flows.alert;

import dev.hapax.Approvals;
import dev.hapax.Courier;
import dev.hapax.Hapax;
import dev.hapax.OutgoingMessage;
import dev.hapax.flow.Caller;
import dev.hapax.flow.Flow;
import dev.hapax.flow.NotApplied;
import dev.hapax.flow.Rejected;
import dev.hapax.flow.WaitState;
import dev.hapax.flows.connection.Connection;
import dev.hapax.flows.connection.Connections;
import dev.hapax.flows.connection.Mail;
import dev.hapax.flows.connection.WayOut;
import dev.hapax.flows.connection.WebhookCourier;
import dev.hapax.json.Json;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Delivers a message to its channel. Its id is the same on every attempt: the Message-ID of a mail,
 * the id of a webhook and the key of a flow's run.
 */
public final class ChannelCourier implements Courier {
  private static final Duration TIMEOUT = Duration.ofSeconds(25);

  private final Hapax hapax;
  private final Parts parts;

  /**
   * What the channels of a tenant need.
   *
   * @param webhooks the courier of a webhook connection
   * @param flows the flow of a name; null if there is none
   * @param approvalUrl in front of the link of an approval
   */
  public record Parts(
      Connections connections,
      WayOut wayOut,
      Function<String, WebhookCourier> webhooks,
      Function<String, @Nullable Flow<?, ?>> flows,
      String approvalUrl) {}

  public ChannelCourier(Hapax hapax, Parts parts) {
    this.hapax = hapax;
    this.parts = parts;
  }

  @Override
  public void deliver(OutgoingMessage message) throws Exception {
    Map<String, @Nullable Object> data = members(message.json());
    Channel channel;
    Map<String, @Nullable Object> content;
    if (data.get("approval") instanceof Map<?, ?> approval) {
      channel = channel(given(data, "data"));
      content = question(members(Json.write(approval)));
      if (content == null) {
        return; // it is decided already
      }
    } else {
      channel = channel(given(data, "channel"));
      content = members(Json.write(given(data, "alert")));
    }
    switch (channel.kind()) {
      case EMAIL -> mail(channel, message, content);
      case WEBHOOK ->
          parts
              .webhooks()
              .apply(channel.name())
              .deliver(
                  new OutgoingMessage(
                      message.id(), channel.name(), message.type(), Json.write(content)));
      case FLOW -> start(channel, message, content);
    }
  }

  /** The link is made here, so that it is in no journal. */
  private @Nullable Map<String, @Nullable Object> question(Map<String, @Nullable Object> facts) {
    String id = String.valueOf(facts.get("id"));
    Approvals.Item item = hapax.approvals().get(id);
    if (item.state() != WaitState.OPEN) {
      return null;
    }
    var content = new LinkedHashMap<String, @Nullable Object>(facts);
    content.put("url", parts.approvalUrl() + hapax.approvals().link(id));
    return content;
  }

  private void mail(Channel channel, OutgoingMessage message, Map<String, @Nullable Object> content)
      throws Exception {
    Connection.Smtp smtp =
        parts
            .connections()
            .find(channel.name())
            .filter(Connection.Smtp.class::isInstance)
            .map(Connection.Smtp.class::cast)
            .orElseThrow(
                () ->
                    new NotApplied(
                        "there is no SMTP connection '%s': nothing was sent. Set it, and the delivery continues"
                            .formatted(channel.name())));
    var _ =
        parts
            .wayOut()
            .mail(
                smtp,
                new Mail(
                    channel.to(),
                    List.of(),
                    NoticeText.subject(content),
                    NoticeText.text(content),
                    null),
                message.id(),
                TIMEOUT);
  }

  /** A start with the same key is the same run, so a repeat starts nothing. */
  private void start(
      Channel channel, OutgoingMessage message, Map<String, @Nullable Object> content) {
    Flow<?, ?> flow = parts.flows().apply(channel.name());
    if (flow == null) {
      throw new NotApplied(
          "there is no live flow '%s': nothing was started. Promote it, and the delivery continues"
              .formatted(channel.name()));
    }
    start(flow, message, content);
  }

  @SuppressWarnings("unchecked") // flows of files take any value
  private void start(
      Flow<?, ?> flow, OutgoingMessage message, Map<String, @Nullable Object> content) {
    var taking = (Flow<Object, ?>) flow;
    List<String> problems = taking.problemsOf(content);
    if (!problems.isEmpty()) {
      throw new Rejected(
          "invalid-input",
          "flow '%s' does not take the message: %s"
              .formatted(flow.name(), String.join("; ", problems)));
    }
    String key = flow.computesKey() ? null : "alert/" + message.id();
    var _ = hapax.start(taking, content, key, new Caller(AlertDesk.STARTER, AlertDesk.STARTER));
  }

  private static Object given(Map<String, @Nullable Object> data, String name) {
    Object value = data.get(name);
    if (value == null) {
      throw new Rejected("bad-message", "a message to a channel needs '%s'".formatted(name));
    }
    return value;
  }

  private static Channel channel(Object form) {
    return Json.read(Json.write(form), Channel.class);
  }

  @SuppressWarnings("unchecked") // it is written by this class's callers
  private static Map<String, @Nullable Object> members(String json) {
    return Json.read(json, Map.class);
  }
}
