package dev.hapax.app.http;

import java.lang.management.ManagementFactory;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The limits on connections.
 *
 * @param connections how many there may be
 * @param connectionsPerAddress how many of one address; null for no limit of its own
 * @param silence how long a peer may be silent
 */
public record PeerLimits(
    int connections, @Nullable Integer connectionsPerAddress, Duration silence) {
  private static final int MOST = 10_000;
  private static final int MEMORY_OF_ONE = 1 << 16;

  /** What holds unless something else is configured. */
  public static final PeerLimits USUAL =
      new PeerLimits(usualConnections(), usualConnections() / 2, Duration.ofSeconds(30));

  /** As many as this process can hold: by its memory and by the files that it may open. */
  public static int usualConnections() {
    long byMemory = Runtime.getRuntime().maxMemory() / MEMORY_OF_ONE;
    long byFiles = MOST;
    if (ManagementFactory.getOperatingSystemMXBean()
        instanceof com.sun.management.UnixOperatingSystemMXBean unix) {
      byFiles = unix.getMaxFileDescriptorCount() / 2;
    }
    return Math.clamp(Math.min(byMemory, byFiles), 100, MOST);
  }

  public PeerLimits silence(Duration other) {
    return new PeerLimits(connections, connectionsPerAddress, other);
  }
}
