package dev.hapax.flows.queue;

import dev.hapax.json.Json;
import dev.hapax.time.Clock;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads a queue of SQS. A message that was read is invisible for the queue's visibility timeout. It
 * is deleted when it was received; if it was not, it is made visible again at once, and if this
 * process dies, it becomes visible by itself.
 *
 * <p>A FIFO queue gives no message of a group while one of it is invisible. So deletions come
 * before messages become visible again: no later message of the group can pass.
 */
final class SqsConsumer implements QueueConsumer {
  /** Of one request. */
  private static final int MOST_AT_ONCE = 10;

  /** What a batch may have, but for the last request. */
  private static final long MOST_BYTES = 8L << 20;

  private static final int LONGEST_WAIT_SECONDS = 20;

  /** The next batch begins then at the latest, however slowly messages come. */
  private static final long LONGEST_GATHERING = Duration.ofSeconds(2).toNanos();

  /** So that a commit and a deletion fit into it. */
  private static final int SHORTEST_INVISIBLE_SECONDS = 5;

  private static final int LONGEST_INVISIBLE_SECONDS = 12 * 60 * 60;

  /** The longest that a message waits because its queue is about to give it up. */
  private static final int LONGEST_PAUSE_SECONDS = 900;

  private static final int LONGEST_ID = 100;
  private static final int LONGEST_HANDLE = 4096;
  private static final int TRIES = 2;

  private final SqsApi api;
  private final QueueTerms terms;
  private final Clock clock;
  private @Nullable Queue queue;
  private int mostAtOnce = MOST_AT_ONCE;

  /**
   * A queue as SQS describes it.
   *
   * @param mostReceives after which a message is moved to the dead letter queue; 0: never
   */
  private record Queue(String url, int invisibleSeconds, int mostReceives) {}

  /** A message that is invisible now. */
  private record Held(String handle, int receives, QueueMessage message) {}

  SqsConsumer(SqsApi api, QueueTerms terms, Clock clock) {
    this.api = api;
    this.terms = terms;
    this.clock = clock;
  }

  @Override
  public Polled poll(Duration atMost, Receiver receiver) throws Exception {
    Queue known = queue();
    List<Held> held = new ArrayList<>();
    int received = 0;
    try {
      gather(known, atMost, held);
      if (!held.isEmpty()) {
        received = receiver.receive(held.stream().map(Held::message).toList());
      }
      delete(known, held.subList(0, received));
    } finally {
      giveBack(known, held.subList(received, held.size()));
    }
    return new Polled(held.size(), received);
  }

  private Queue queue() throws IOException {
    Queue known = queue;
    if (known == null) {
      String url = api.address(terms.queue());
      Map<?, ?> attributes = attributes(url, "VisibilityTimeout", "RedrivePolicy");
      known =
          new Queue(
              url,
              Math.clamp(
                  number(attributes.get("VisibilityTimeout"), 30),
                  SHORTEST_INVISIBLE_SECONDS,
                  LONGEST_INVISIBLE_SECONDS),
              mostReceives(SqsApi.textOf(attributes, "RedrivePolicy")));
      queue = known;
    }
    return known;
  }

  private Map<?, ?> attributes(String url, String... names) throws IOException {
    Map<?, ?> answer =
        api.ask(
            "GetQueueAttributes",
            Map.of("QueueUrl", url, "AttributeNames", List.of(names)),
            Duration.ZERO);
    return answer.get("Attributes") instanceof Map<?, ?> attributes ? attributes : Map.of();
  }

  private static int mostReceives(String policy) {
    if (policy.isEmpty()) {
      return 0;
    }
    try {
      return Json.read(policy, Object.class) instanceof Map<?, ?> map
          ? (int) number(map.get("maxReceiveCount"), 0)
          : 0;
    } catch (RuntimeException e) { // of the JSON library
      return 0;
    }
  }

  /** SQS writes numbers as texts. */
  private static long number(@Nullable Object value, long usual) {
    String text = String.valueOf(value);
    return text.matches("[0-9]{1,15}") ? Long.parseLong(text) : usual;
  }

  // ---- read

  private void gather(Queue from, Duration atMost, List<Held> held) throws IOException {
    int most = terms.batch();
    long begin = clock.nanos();
    long bytes = 0;
    int wait = (int) Math.min(atMost.toSeconds(), LONGEST_WAIT_SECONDS);
    boolean goesOn;
    do {
      int before = held.size();
      receive(from, Math.min(mostAtOnce, most - before), before == 0 ? wait : 0, held);
      for (Held one : held.subList(before, held.size())) {
        bytes += one.message().size();
      }
      goesOn =
          held.size() > before
              && held.size() < most
              && bytes < MOST_BYTES
              && clock.nanos() - begin < LONGEST_GATHERING;
    } while (goesOn);
  }

  private void receive(Queue from, int atOnce, int waitSeconds, List<Held> held)
      throws IOException {
    var request = new LinkedHashMap<String, Object>();
    request.put("QueueUrl", from.url());
    request.put("MaxNumberOfMessages", atOnce);
    request.put("WaitTimeSeconds", waitSeconds);
    request.put("VisibilityTimeout", from.invisibleSeconds());
    request.put("MessageAttributeNames", List.of("All"));
    request.put("MessageSystemAttributeNames", List.of("All"));
    Map<?, ?> answer = ask(request, Duration.ofSeconds(waitSeconds));
    List<Map<?, ?>> messages = SqsApi.objectsOf(answer, "Messages");
    if (messages.size() > Math.min(atOnce, mostAtOnce)) {
      throw new IOException(
          "SQS gave %d messages, but at most %d were asked for".formatted(messages.size(), atOnce));
    }
    for (Map<?, ?> message : messages) {
      held.add(held(message));
    }
  }

  /**
   * Asks for one message at a time from the moment on that several had no place in memory. Those
   * are invisible for a while, and come again.
   */
  private Map<?, ?> ask(Map<String, Object> request, Duration wait) throws IOException {
    try {
      return api.ask("ReceiveMessage", request, wait);
    } catch (SqsApi.TooLarge e) {
      if (mostAtOnce == 1) {
        throw e;
      }
      mostAtOnce = 1;
      request.put("MaxNumberOfMessages", mostAtOnce);
      return api.ask("ReceiveMessage", request, wait);
    }
  }

  private static Held held(Map<?, ?> message) throws IOException {
    String id = SqsApi.textOf(message, "MessageId");
    String handle = SqsApi.textOf(message, "ReceiptHandle");
    if (id.isEmpty()
        || id.length() > LONGEST_ID
        || handle.isEmpty()
        || handle.length() > LONGEST_HANDLE
        || !(message.get("Body") instanceof String body)) {
      throw new IOException("SQS gave a message without id, receipt handle or body");
    }
    Map<?, ?> about = message.get("Attributes") instanceof Map<?, ?> map ? map : Map.of();
    Map<String, String> headers = headers(message.get("MessageAttributes"));
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    String group = SqsApi.textOf(about, "MessageGroupId");
    String key = group.isEmpty() ? null : group;
    String sequence = SqsApi.textOf(about, "SequenceNumber");
    long sentAt = number(about.get("SentTimestamp"), -1);
    return new Held(
        handle,
        (int) number(about.get("ApproximateReceiveCount"), 1),
        new QueueMessage(
            id,
            key,
            headers,
            sequence.isEmpty() ? Map.of() : Map.of("sequence", sequence),
            bytes,
            QueueMessage.sizeOf(key, headers, bytes.length),
            sentAt < 0 ? null : Instant.ofEpochMilli(sentAt)));
  }

  /** A binary attribute is in base64, as SQS writes it. */
  private static Map<String, String> headers(@Nullable Object attributes) {
    var headers = new LinkedHashMap<String, String>();
    if (attributes instanceof Map<?, ?> map) {
      map.forEach(
          (name, value) -> {
            Map<?, ?> attribute = value instanceof Map<?, ?> typed ? typed : Map.of();
            String text = SqsApi.textOf(attribute, "StringValue");
            headers.put(
                String.valueOf(name),
                text.isEmpty() ? SqsApi.textOf(attribute, "BinaryValue") : text);
          });
    }
    return headers;
  }

  // ---- acknowledge

  /** A deletion that fails is tried once more; then the message comes again, and is a duplicate. */
  private void delete(Queue from, List<Held> received) throws IOException {
    String reason = "";
    int kept = 0;
    for (int at = 0; at < received.size(); at += MOST_AT_ONCE) {
      List<Held> part = received.subList(at, Math.min(received.size(), at + MOST_AT_ONCE));
      var left = new LinkedHashMap<String, Held>();
      for (Held one : part) {
        left.put(Integer.toString(left.size()), one);
      }
      for (int tries = 0; tries < TRIES && !left.isEmpty(); tries++) {
        String failure = batch("DeleteMessageBatch", from, left);
        reason = failure.isEmpty() ? reason : failure;
      }
      kept += left.size();
    }
    if (kept > 0) {
      throw new IOException(
          "%d messages of queue '%s' were received, but could not be deleted, so they come again as duplicates: %s"
              .formatted(kept, terms.queue(), reason));
    }
  }

  /**
   * Makes messages visible again. What fails here comes again when its time is over. The nearer a
   * message is to the end of its redrive policy, the longer it waits: a store that is away for some
   * minutes must not send it to the dead letter queue.
   */
  private void giveBack(Queue to, List<Held> notReceived) {
    for (int at = 0; at < notReceived.size(); at += MOST_AT_ONCE) {
      var left = new LinkedHashMap<String, Held>();
      for (Held one : notReceived.subList(at, Math.min(notReceived.size(), at + MOST_AT_ONCE))) {
        left.put(Integer.toString(left.size()), one);
      }
      try {
        var _ = batch("ChangeMessageVisibilityBatch", to, left);
      } catch (IOException | RuntimeException e) {
        return; // the others would wait for the same failure
      }
    }
  }

  /**
   * Sends a batch, and removes the entries that succeeded.
   *
   * @param entries by their id within the batch
   * @return why others did not; empty if all did
   */
  private String batch(String action, Queue at, Map<String, Held> entries) throws IOException {
    boolean isDeletion = action.startsWith("Delete");
    var list = new ArrayList<Map<String, Object>>();
    entries.forEach(
        (id, one) ->
            list.add(
                isDeletion
                    ? Map.of("Id", id, "ReceiptHandle", one.handle())
                    : Map.of(
                        "Id",
                        id,
                        "ReceiptHandle",
                        one.handle(),
                        "VisibilityTimeout",
                        pause(one.receives(), at.mostReceives()))));
    Map<?, ?> answer =
        api.ask(action, Map.of("QueueUrl", at.url(), "Entries", list), Duration.ZERO);
    Set<String> done = new HashSet<>();
    for (Map<?, ?> one : SqsApi.objectsOf(answer, "Successful")) {
      done.add(SqsApi.textOf(one, "Id"));
    }
    entries.keySet().removeAll(done);
    List<Map<?, ?>> failed = SqsApi.objectsOf(answer, "Failed");
    return entries.isEmpty()
        ? ""
        : failed.isEmpty()
            ? "the answer does not name them"
            : "%s %s"
                .formatted(
                    SqsApi.textOf(failed.getFirst(), "Code"),
                    SqsApi.textOf(failed.getFirst(), "Message"));
  }

  /** Returns how many seconds a message waits that was given back after so many receives. */
  static int pause(int receives, int mostReceives) {
    if (mostReceives == 0) {
      return 0;
    }
    int left = Math.clamp((long) mostReceives - receives, 0, 9);
    return (int) (LONGEST_PAUSE_SECONDS / Math.pow(3, left));
  }

  // ---- the queue as a whole

  @Override
  public Long lag() throws IOException {
    String name = "ApproximateNumberOfMessages";
    return number(attributes(queue().url(), name).get(name), 0);
  }

  @Override
  public @Nullable Long seek(Instant since) {
    throw new UnsupportedOperationException(
        "SQS keeps no message that was received, so none can come again. Let the producer send them again, or redrive a dead letter queue");
  }

  /** Everything that was read is deleted or visible again when a look is over. */
  @Override
  public void close() {}
}
