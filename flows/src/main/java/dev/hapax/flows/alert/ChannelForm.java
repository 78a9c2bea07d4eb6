package dev.hapax.flows.alert;

import dev.hapax.flows.expression.Position;
import dev.hapax.flows.expression.Scope;
import dev.hapax.flows.expression.Template;
import dev.hapax.flows.expression.ValueTemplate;
import dev.hapax.flows.yaml.Fields;
import dev.hapax.flows.yaml.Shape;
import dev.hapax.flows.yaml.Type;
import dev.hapax.flows.yaml.Types;
import java.util.Collection;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A channel as a file describes it.
 *
 * @param to the recipients of a mail; null for the other kinds
 */
public record ChannelForm(
    Position position, Channel.Kind kind, String name, @Nullable ValueTemplate to) {
  /** The name of its shape. */
  public static final String SHAPE = "channel";

  private static final int MOST_RECIPIENTS = 100;

  /** Returns the shapes of a channel. */
  public static List<Shape> shapes() {
    return List.of(
        Shape.of(SHAPE, "a channel")
            .either("email", new Type.Of("channelEmail"), "A mail.")
            .either("webhook", new Type.Of("channelWebhook"), "A signed message.")
            .either("flow", Types.NAME, "A flow of this tenant; its input is the message.")
            .build(),
        Shape.of("channelEmail", "email of a channel")
            .must("connection", Types.CONNECTION, "The mail server.")
            .must("to", Types.VALUE, "The recipients: one address or a list.")
            .build(),
        Shape.of("channelWebhook", "webhook of a channel")
            .must(
                "connection",
                Types.CONNECTION,
                "The connection of the receiver, with its address and signing secret.")
            .build());
  }

  /** Reads the channels of a list. */
  public static List<ChannelForm> read(List<Fields> channels) {
    return channels.stream().filter(Fields::isSound).map(ChannelForm::read).toList();
  }

  private static ChannelForm read(Fields channel) {
    Position at = channel.position();
    return switch (channel.alternative()) {
      case "email" -> {
        Fields email = channel.fieldsOf("email");
        yield new ChannelForm(at, Channel.Kind.EMAIL, email.text("connection"), email.value("to"));
      }
      case "webhook" ->
          new ChannelForm(
              at, Channel.Kind.WEBHOOK, channel.fieldsOf("webhook").text("connection"), null);
      default -> new ChannelForm(at, Channel.Kind.FLOW, channel.text("flow"), null);
    };
  }

  /** Returns its texts with expressions. */
  public Stream<Template> templates() {
    return to == null ? Stream.empty() : to.templates();
  }

  /** Whether it is the same for every run. */
  boolean isConstant() {
    return templates().allMatch(Template::isConstant);
  }

  /** Returns the connection that it uses; null for a flow. */
  public @Nullable String connection() {
    return kind == Channel.Kind.FLOW ? null : name;
  }

  /** Returns the flow that it starts; null for the other kinds. */
  public @Nullable String flow() {
    return kind == Channel.Kind.FLOW ? name : null;
  }

  /** Returns the channel with the values of this scope. */
  public Channel in(Scope scope) {
    Object value = to == null ? List.of() : to.value(scope);
    List<String> addresses =
        value instanceof Collection<?> many
            ? many.stream().map(String::valueOf).limit(MOST_RECIPIENTS).toList()
            : List.of(String.valueOf(value));
    return new Channel(kind, name, addresses);
  }
}
