package dev.hapax.flows.queue;

import dev.hapax.flows.connection.Connection;
import dev.hapax.flows.connection.Idempotency;
import dev.hapax.flows.connection.StatusMeanings;
import dev.hapax.flows.connection.WayOut;
import dev.hapax.time.Clock;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Queues of Amazon SQS, over HTTP and without a library. */
final class SqsBroker implements QueueBroker {
  private static final Duration CONNECT = Duration.ofSeconds(10);
  private static final Pattern NAME =
      Pattern.compile("[A-Za-z0-9_-]{1,75}(\\.fifo)?|[A-Za-z0-9_-]{76,80}");

  /** With the account that owns the queue. */
  private static final Pattern ADDRESS =
      Pattern.compile("https?://[!-~]+/([A-Za-z0-9_-]{1,80}|[A-Za-z0-9_-]{1,75}\\.fifo)");

  private final WayOut wayOut;
  private final Clock clock;

  SqsBroker(WayOut wayOut, Clock clock) {
    this.wayOut = wayOut;
    this.clock = clock;
  }

  /** Whether it is an address, and not a name. Requests go to the connection's endpoint anyway. */
  static boolean isAddress(String queue) {
    return ADDRESS.matcher(queue).matches();
  }

  @Override
  public boolean serves(Connection connection) {
    return connection instanceof Connection.Sqs;
  }

  @Override
  public @Nullable String problem(QueueTerms terms) {
    String unfit = terms.unfit("SQS", false, false);
    if (unfit != null) {
      return unfit;
    }
    if (!NAME.matcher(terms.queue()).matches() && !isAddress(terms.queue())) {
      return "queue: expected the name or the URL of an SQS queue such as orders or orders.fifo, got '%s'"
          .formatted(terms.queue());
    }
    return terms.ordered() && !Connection.Sqs.isFifo(terms.queue())
        ? "ordered: the standard queue '%s' of SQS has no order. Read a FIFO queue, whose name ends with .fifo"
            .formatted(terms.queue())
        : null;
  }

  @Override
  public QueueConsumer open(Connection connection, QueueTerms terms, GroupMemory memory) {
    return new SqsConsumer(api(connection), terms, clock);
  }

  @Override
  public QueuePublisher publisher(Connection connection) {
    return new SqsPublisher(api(connection));
  }

  @Override
  public String visit(Connection connection, Duration timeout) throws IOException {
    try {
      var _ = api(connection).ask("ListQueues", Map.of("MaxResults", 1), Duration.ZERO);
      return "the key is known";
    } catch (SqsApi.Refusal e) {
      if (e.code().startsWith("AccessDenied")) {
        return "the key is known; it may not list queues, which is not needed";
      }
      throw e;
    }
  }

  private SqsApi api(Connection connection) {
    var sqs = (Connection.Sqs) connection;
    return new SqsApi(
        wayOut,
        new Connection.Http(
            sqs.name(),
            sqs.endpoint(),
            new Connection.Auth.Aws(sqs.accessKey(), sqs.secret(), sqs.region(), "sqs"),
            Map.of(),
            Idempotency.NONE,
            CONNECT,
            sqs.privateHosts(),
            StatusMeanings.USUAL,
            sqs.limits(),
            null));
  }
}
