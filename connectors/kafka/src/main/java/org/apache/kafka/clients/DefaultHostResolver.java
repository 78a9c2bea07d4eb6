package org.apache.kafka.clients;

import dev.hapax.connector.kafka.AddressGate;
import java.net.InetAddress;
import java.net.UnknownHostException;

/**
 * Takes the place of the library's class of this name, which all its clients resolve hosts with,
 * also those that a cluster names. The library has no setting for it. The class loader of the
 * connector has this class before the library's.
 */
public class DefaultHostResolver implements HostResolver {
  /** Fails to link if the library's class was loaded. */
  public static void demandOwn() {}

  @Override
  public InetAddress[] resolve(String host) throws UnknownHostException {
    return AddressGate.resolve(host);
  }
}
