package dev.hapax.run;

import dev.hapax.flow.EffectKey;
import dev.hapax.flow.Fingerprint;
import dev.hapax.flow.Message;
import dev.hapax.flow.Overflow;
import dev.hapax.flow.RunId;
import dev.hapax.flow.Step;
import dev.hapax.json.Json;
import dev.hapax.json.ValueTooLarge;
import tools.jackson.databind.JsonNode;

/**
 * A message as it is stored: the input of the run that delivers it.
 *
 * @param id the same on every attempt, so that its receiver can recognise a repeat
 * @param data JSON
 */
public record StoredMessage(String id, String destination, String type, JsonNode data) {
  /** The flows that deliver; each destination has one, so that callers can wait for it by name. */
  public static final String FLOWS = "hapax/deliver/";

  private static final String EFFECT = "publish";
  private static final int LARGEST = 1 << 20;

  public static StoredMessage of(String id, Message message) {
    Object data = message.data();
    return new StoredMessage(
        id,
        message.destination(),
        message.type(),
        Json.tree(data == null ? "null" : Json.write(data, 3 * LARGEST)));
  }

  /**
   * The id of a message that a run publishes in a step. It depends on the run, not on an attempt or
   * a time. A later round publishes another message.
   */
  public static String idFrom(String tenant, RunId run, Step step) {
    String item = step.item();
    String round = step.roundNumber() == 1 ? "" : "@" + step.roundNumber();
    // No name of a step holds a '#' or '@', so no two steps and items are joined to one key.
    return id(tenant, "run/" + run + "/" + step.name() + round + (item == null ? "" : "#" + item));
  }

  /** The id of a message that is published outside a run, under a key of the caller. */
  public static String idFrom(String tenant, String key) {
    return id(tenant, "key/" + key);
  }

  /** The id of an alert, made from the occurrence that it reports. */
  public static String alertId(String tenant, String occurrence) {
    return id(tenant, "alert/" + occurrence);
  }

  private static String id(String tenant, String key) {
    return new EffectKey(tenant, EFFECT, key, null).onWire(1);
  }

  /** The run that delivers a message, after those that are in its line already. */
  public static NewRun delivery(String id, Message message, long number, String tenant) {
    NewRun delivery = of(id, message).delivery(number, tenant);
    String line = message.line();
    return line == null ? delivery : delivery.through(new Gate(line, 1, Overflow.QUEUE));
  }

  /** The run that delivers it, without waiting for others. */
  public NewRun delivery(long number, String tenant) {
    String input = Json.write(this, 4 * LARGEST);
    if (input.length() > LARGEST) {
      throw new ValueTooLarge(
          "a message of %,d characters of JSON is too large, at most %,d are delivered. Store the large part elsewhere and send a reference."
              .formatted(input.length(), LARGEST));
    }
    String flow = FLOWS + destination;
    return new NewRun(
        number,
        RunId.of(tenant, flow, id, null),
        tenant,
        flow,
        1,
        id,
        Fingerprint.of(input),
        input,
        null);
  }
}
