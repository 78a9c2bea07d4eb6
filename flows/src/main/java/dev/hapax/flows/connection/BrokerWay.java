package dev.hapax.flows.connection;

import dev.hapax.flow.Rejected;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/**
 * What a broker's client may use of this server: addresses that are checked, sockets to them, and
 * secrets for the hosts that may have them. Safe for many threads.
 */
public final class BrokerWay {
  private static final Duration LIMIT = Duration.ofSeconds(10);
  private static final long MOST_BYTES = 1L << 20;

  private final Egress egress;
  private final Secrets secrets;
  private final Redaction redaction;

  public BrokerWay(Egress egress, Secrets secrets, Redaction redaction) {
    this.egress = egress;
    this.secrets = secrets;
    this.redaction = redaction;
  }

  /**
   * Returns the addresses of a host, all of which may be reached.
   *
   * @throws Rejected if one of them may not
   * @throws dev.hapax.flow.NotApplied if the name is not known
   */
  public List<InetAddress> addresses(String host, Set<String> privateHosts) {
    try (AttemptBudget budget = egress.begin(LIMIT, MOST_BYTES)) {
      return egress.addresses(host, privateHosts, budget);
    } catch (Refused e) {
      throw refused(e);
    }
  }

  /**
   * Connects a socket that lasts until it is closed; the client limits its reads.
   *
   * @throws Rejected if the address may not be reached
   * @throws dev.hapax.flow.NotApplied if there is no connection
   */
  public Socket connect(
      String host, int port, Set<String> privateHosts, Connection.Encryption encryption) {
    try (AttemptBudget budget = egress.begin(LIMIT, MOST_BYTES)) {
      Socket plain = egress.connect(host, port, LIMIT, privateHosts, budget);
      Socket socket =
          encryption == Connection.Encryption.NONE
              ? plain
              : egress.encrypt(plain, host, port, budget);
      Egress.rest(plain);
      return socket;
    } catch (Refused e) {
      throw refused(e);
    }
  }

  private static Rejected refused(Refused why) {
    return new Rejected("address-refused", String.valueOf(why.getMessage()), why);
  }

  /**
   * Returns a secret that is about to be sent to this host; it is hidden from now on.
   *
   * @throws Rejected if it may not go there, or would go there readable
   * @throws dev.hapax.flow.NotApplied if it is not set
   */
  public String secret(
      String name,
      String host,
      int port,
      Set<String> privateHosts,
      Connection.Encryption encryption) {
    boolean isSafe =
        encryption != Connection.Encryption.NONE
            || addresses(host, privateHosts).stream().allMatch(InetAddress::isLoopbackAddress);
    return secrets.use(name, new SecretRecipient(host, port, isSafe), redaction);
  }

  /** Returns a secret that only signs and is not sent itself, for a request to this host. */
  public String signingSecret(String name, String host, int port) {
    return secrets.use(name, new SecretRecipient(host, port, true), redaction);
  }

  /**
   * Works with a socket, and closes it if the work takes longer: a write to a peer that reads no
   * more has no limit of its own.
   */
  public void within(Duration timeout, Socket socket, Work work) throws IOException {
    Deadlines.Watch watch = Deadlines.shared().watchFor(socket, timeout);
    try {
      work.carryOut();
    } finally {
      Deadlines.shared().forget(watch);
    }
  }

  /** What is done with a socket. */
  @FunctionalInterface
  public interface Work {
    void carryOut() throws IOException;
  }

  /** Removes secrets from a text that people may see. */
  public String redact(String text) {
    return redaction.redact(text);
  }
}
