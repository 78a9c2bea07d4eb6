package dev.hapax.app.http;

import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Counts the streams that callers read, each of which holds a connection for as long as it likes.
 * Safe for many threads.
 */
public final class StreamLimits {
  private static final int RETRY_SECONDS = 5;

  private final int most;
  private final @Nullable Integer perToken;
  private final ToIntFunction<String> perTenant;
  private final AtomicInteger open = new AtomicInteger();
  private final ConcurrentMap<String, Integer> ofTokens = new ConcurrentHashMap<>();
  private final ConcurrentMap<String, Integer> ofTenants = new ConcurrentHashMap<>();

  /** The caller of a public route has neither a credential nor a tenant. */
  private static final Reader NONE = new Reader("", "");

  /** The credential that reads a stream, and its tenant. */
  private record Reader(String id, String tenant) {}

  /**
   * The limits of a node.
   *
   * @param most streams of all callers
   * @param perToken streams of one credential; null for no limit of its own
   * @param perTenant streams of all credentials of a tenant
   */
  public StreamLimits(int most, @Nullable Integer perToken, ToIntFunction<String> perTenant) {
    this.most = most;
    this.perToken = perToken;
    this.perTenant = perTenant;
  }

  /** Returns how many streams the callers of this tenant read. */
  public int open(String tenant) {
    return ofTenants.getOrDefault(tenant, 0);
  }

  /** Returns a slot that holds nothing yet; for one request. */
  Slot slot() {
    return new Slot();
  }

  /** The stream of one request, if it becomes one. */
  final class Slot implements AutoCloseable {
    private @Nullable Reader holder;

    private Slot() {}

    /**
     * Holds a place for a stream of this caller.
     *
     * @throws Problem if there is none
     */
    void take(@Nullable Actor caller) {
      var reader = caller == null ? NONE : new Reader(caller.id(), caller.tenant());
      if (open.incrementAndGet() > most) {
        open.decrementAndGet();
        throw Problem.unavailable(
                "%,d streams are open, which is the most on this node: try again later, or use another node"
                    .formatted(most))
            .header("Retry-After", Integer.toString(RETRY_SECONDS));
      }
      int own = ofTokens.merge(reader.id(), 1, Integer::sum);
      int ofTenant = ofTenants.merge(reader.tenant(), 1, Integer::sum);
      holder = reader;
      if (perToken != null && own > perToken) {
        throw Problem.rateLimited(
            "this token has %,d streams open, which is the most: close one, and read several flows in one stream"
                .formatted(perToken),
            RETRY_SECONDS);
      }
      int quota = perTenant.applyAsInt(reader.tenant());
      if (ofTenant > quota) {
        throw Problem.quotaExceeded(
            "streams",
            quota,
            Duration.ofSeconds(RETRY_SECONDS),
            "tenant '%s' has %,d streams open, which is its quota: close one, or ask the operator of this server for a larger quota"
                .formatted(reader.tenant(), quota));
      }
    }

    @Override
    public void close() {
      Reader reader = holder;
      if (reader != null) {
        holder = null;
        ofTokens.computeIfPresent(reader.id(), (_, count) -> count == 1 ? null : count - 1);
        ofTenants.computeIfPresent(reader.tenant(), (_, count) -> count == 1 ? null : count - 1);
        open.decrementAndGet();
      }
    }
  }
}
