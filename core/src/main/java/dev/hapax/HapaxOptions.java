package dev.hapax;

import dev.hapax.flow.Interceptor;
import dev.hapax.flow.Names;
import dev.hapax.time.Ports;
import java.time.Duration;

/**
 * How an engine is opened.
 *
 * @param tenant who owns the keys, runs and effects of this engine's callers
 * @param mostInMemory how many runs may be in memory at once; more are accepted and wait on disk
 *     for their turn
 * @param closeWithin how long closing waits for runs to come to their next step
 * @param tombstoneLife how long it is remembered after its retention that a run or an effect was
 *     there
 * @param ports the machine's clock, chance and threads
 * @param interceptor stands between the engine and the senders of effects
 */
public record HapaxOptions(
    String tenant,
    int mostInMemory,
    Duration closeWithin,
    Duration tombstoneLife,
    Ports ports,
    Interceptor interceptor) {
  public static final HapaxOptions DEFAULT =
      new HapaxOptions(
          "default",
          20_000,
          Duration.ofSeconds(10),
          Duration.ofDays(365),
          Ports.system(),
          Interceptor.NONE);

  public HapaxOptions {
    Names.key("a tenant", tenant);
    if (mostInMemory < 1) {
      throw new IllegalArgumentException("mostInMemory: expected 1 or more, got " + mostInMemory);
    }
    Names.positive("tombstoneLife", tombstoneLife);
  }

  public HapaxOptions tenant(String owner) {
    return new HapaxOptions(owner, mostInMemory, closeWithin, tombstoneLife, ports, interceptor);
  }

  public HapaxOptions mostInMemory(int runs) {
    return new HapaxOptions(tenant, runs, closeWithin, tombstoneLife, ports, interceptor);
  }

  public HapaxOptions closeWithin(Duration time) {
    return new HapaxOptions(tenant, mostInMemory, time, tombstoneLife, ports, interceptor);
  }

  public HapaxOptions tombstoneLife(Duration time) {
    return new HapaxOptions(tenant, mostInMemory, closeWithin, time, ports, interceptor);
  }

  public HapaxOptions ports(Ports machine) {
    return new HapaxOptions(tenant, mostInMemory, closeWithin, tombstoneLife, machine, interceptor);
  }

  public HapaxOptions interceptor(Interceptor between) {
    return new HapaxOptions(tenant, mostInMemory, closeWithin, tombstoneLife, ports, between);
  }
}
