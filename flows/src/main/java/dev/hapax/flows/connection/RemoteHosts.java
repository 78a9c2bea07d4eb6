package dev.hapax.flows.connection;

import dev.hapax.flow.NotApplied;
import dev.hapax.flow.Rejected;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.apache.sshd.client.ClientBuilder;
import org.apache.sshd.client.SshClient;
import org.apache.sshd.client.auth.password.UserAuthPasswordFactory;
import org.apache.sshd.client.auth.pubkey.UserAuthPublicKeyFactory;
import org.apache.sshd.client.config.hosts.HostConfigEntryResolver;
import org.apache.sshd.client.session.ClientSession;
import org.apache.sshd.common.NamedResource;
import org.apache.sshd.common.SshConstants;
import org.apache.sshd.common.SshException;
import org.apache.sshd.common.config.keys.FilePasswordProvider;
import org.apache.sshd.common.future.CancelOption;
import org.apache.sshd.common.keyprovider.KeyIdentityProvider;
import org.apache.sshd.common.util.security.SecurityUtils;
import org.apache.sshd.core.CoreModuleProperties;
import org.apache.sshd.server.forward.RejectAllForwardingFilter;
import org.jspecify.annotations.Nullable;

/**
 * Runs jobs on other machines over SSH, by the {@link Launcher}. The library's defaults are turned
 * off: it accepts only pinned host keys, reads nothing of the user's own SSH settings, uses no
 * agent, forwards nothing and asks for no terminal. Each attempt has its own session. Safe for many
 * threads.
 */
final class RemoteHosts implements AutoCloseable {
  private static final Duration HEARTBEAT = Duration.ofSeconds(15);
  private static final int LOST_HEARTBEATS = 3;
  private static final int IO_THREADS = 2;

  /** How long the launcher waits before it answers; then it is asked again. */
  private static final Duration ROUND = Duration.ofSeconds(3);

  /** The time that an answer needs on its way. */
  private static final Duration WAY = Duration.ofSeconds(1);

  private static final String NOBODY = "visit";

  /** The stages of a visit, in their order. */
  static final String LOGGED_IN = "authenticate";

  static final String KNOWN = "host key";
  static final String NO_LOGIN = "ssh-login";

  private final Egress egress;
  private final Secrets secrets;
  private final Redaction redaction;
  private @Nullable SshClient client; // guarded by this
  private boolean isClosed; // guarded by this

  RemoteHosts(Egress egress, Secrets secrets, Redaction redaction) {
    this.egress = egress;
    this.secrets = secrets;
    this.redaction = redaction;
  }

  /**
   * Carries out an order; a job that was started is waited for until its end, or until the time is
   * over.
   *
   * @param isToEnd whether the job is not wanted any more: then it is canceled
   * @throws NotApplied if the order did not reach the machine's shell
   * @throws IOException if it is unknown whether it did
   */
  RemoteAnswer carryOut(
      Connection.Ssh ssh,
      RemoteOrder order,
      Duration timeout,
      LargeBodies keeper,
      BooleanSupplier isToEnd)
      throws IOException {
    try (AttemptBudget budget = egress.begin(timeout, Long.MAX_VALUE);
        SshTalk talk = open(ssh, budget, _ -> {})) {
      return switch (order) {
        case RemoteOrder.Start start -> start(ssh, start, talk, budget, keeper, isToEnd);
        case RemoteOrder.Look look -> look(look, talk, budget, keeper);
        case RemoteOrder.Cancel cancel ->
            talk.ask(Launcher.cancel(cancel.token()), cancel.token(), keeper);
      };
    }
  }

  private static RemoteAnswer start(
      Connection.Ssh ssh,
      RemoteOrder.Start start,
      SshTalk talk,
      AttemptBudget budget,
      LargeBodies keeper,
      BooleanSupplier isToEnd)
      throws IOException {
    while (true) {
      String script =
          Launcher.start(
              start,
              start.isDetached() ? Duration.ZERO : round(budget),
              start.isDetached() ? 0 : SshTalk.MOST_KEPT,
              ssh.keep());
      RemoteAnswer answer = talk.ask(script, start.token(), keeper);
      if (answer.state() != RemoteState.RUNNING || start.isDetached()) {
        return answer;
      }
      if (isToEnd.getAsBoolean()) {
        return talk.ask(Launcher.cancel(start.token()), start.token(), keeper);
      }
      if (isNearlyOver(budget)) {
        return answer;
      }
    }
  }

  private static RemoteAnswer look(
      RemoteOrder.Look look, SshTalk talk, AttemptBudget budget, LargeBodies keeper)
      throws IOException {
    while (true) {
      String script = Launcher.look(look.token(), round(budget), SshTalk.MOST_KEPT);
      RemoteAnswer answer = talk.ask(script, look.token(), keeper);
      if (answer.state() != RemoteState.RUNNING || isNearlyOver(budget)) {
        return answer;
      }
    }
  }

  /** How long the launcher may wait for the end of a job before it answers. */
  private static Duration round(AttemptBudget budget) {
    Duration left = budget.left().minus(WAY);
    return left.isNegative() ? Duration.ZERO : left.compareTo(ROUND) < 0 ? left : ROUND;
  }

  private static boolean isNearlyOver(AttemptBudget budget) {
    return budget.left().compareTo(WAY) < 0;
  }

  /**
   * Logs in and asks the launcher about a job that does not exist.
   *
   * @param passed is called with the name of every stage that has succeeded
   */
  void visit(Connection.Ssh ssh, Duration timeout, Consumer<String> passed) throws IOException {
    try (AttemptBudget budget = egress.begin(timeout, Long.MAX_VALUE);
        SshTalk talk = open(ssh, budget, passed)) {
      var _ = talk.ask(Launcher.look(NOBODY, Duration.ZERO, 0), NOBODY, (_, _) -> "");
    }
  }

  // ---- the way there

  /** Until the session is open, every failure means that nothing has happened. */
  private SshTalk open(Connection.Ssh ssh, AttemptBudget budget, Consumer<String> passed) {
    List<InetAddress> addresses;
    try {
      addresses = egress.addresses(ssh.host(), ssh.privateHosts(), budget);
    } catch (Refused e) {
      throw new Rejected("address-refused", String.valueOf(e.getMessage()), e);
    }
    List<KeyPair> keys = keys(ssh);
    String password = secret(ssh, ssh.password());
    var known = new HostKeys(ssh.hostKeys());
    ClientSession session = connect(ssh, addresses, known, budget);
    budget.watch(() -> session.close(true));
    try {
      keys.forEach(session::addPublicKeyIdentity);
      if (password != null) {
        session.addPasswordIdentity(password);
      }
      logIn(ssh, session, known, budget);
    } catch (RuntimeException e) {
      session.close(true);
      throw e;
    }
    passed.accept(KNOWN);
    passed.accept(LOGGED_IN);
    return new SshTalk(ssh.name(), session, budget);
  }

  private ClientSession connect(
      Connection.Ssh ssh, List<InetAddress> addresses, HostKeys known, AttemptBudget budget) {
    IOException last = null;
    for (InetAddress address : addresses) {
      try {
        return client()
            .connect(ssh.user(), new InetSocketAddress(address, ssh.port()), known.context())
            .verify(
                budget.leftToConnect(ssh.connectTimeout()),
                CancelOption.CANCEL_ON_TIMEOUT,
                CancelOption.CANCEL_ON_INTERRUPT)
            .getSession();
      } catch (IOException e) {
        last = e;
      }
    }
    throw new NotApplied(
        "no connection to %s:%d: %s"
            .formatted(ssh.host(), ssh.port(), last == null ? "no address" : last.getMessage()),
        last);
  }

  private static void logIn(
      Connection.Ssh ssh, ClientSession session, HostKeys known, AttemptBudget budget) {
    try {
      session
          .auth()
          .verify(
              budget.leftToConnect(Duration.ofMinutes(1)),
              CancelOption.CANCEL_ON_TIMEOUT,
              CancelOption.CANCEL_ON_INTERRUPT);
    } catch (IOException e) {
      String refused = known.refused();
      if (refused != null) {
        throw new NotApplied(
            "host '%s' presented the key %s, which is none of 'hostKeys' of connection '%s': nothing was sent, and no credential. Add the key only if you know that the machine has it: another machine may have answered."
                .formatted(ssh.host(), refused, ssh.name()),
            e);
      }
      if (e instanceof SshException failure
          && failure.getDisconnectCode()
              == SshConstants.SSH2_DISCONNECT_NO_MORE_AUTH_METHODS_AVAILABLE) {
        throw new Rejected(
            NO_LOGIN,
            "host '%s' refused the login of user '%s': nothing was sent. Correct user or secret of connection '%s'."
                .formatted(ssh.host(), ssh.user(), ssh.name()),
            e);
      }
      String late = budget.whyIfOver();
      throw new NotApplied(
          "no login at %s:%d: %s"
              .formatted(ssh.host(), ssh.port(), late == null ? e.getMessage() : late),
          e);
    }
  }

  private List<KeyPair> keys(Connection.Ssh ssh) {
    String text = secret(ssh, ssh.key());
    if (text == null) {
      return List.of();
    }
    String passphrase = secret(ssh, ssh.passphrase());
    FilePasswordProvider opener =
        passphrase == null ? FilePasswordProvider.EMPTY : FilePasswordProvider.of(passphrase);
    var keys = new ArrayList<KeyPair>();
    try {
      Iterable<KeyPair> found =
          SecurityUtils.loadKeyPairIdentities(
              null,
              NamedResource.ofName("the secret"),
              new ByteArrayInputStream(lines(text).getBytes(StandardCharsets.UTF_8)),
              opener);
      if (found != null) {
        found.forEach(keys::add);
      }
    } catch (IOException | GeneralSecurityException | RuntimeException e) {
      // its message could repeat a part of the key
    }
    if (keys.isEmpty()) {
      throw new NotApplied(
          "secret '%s' of connection '%s' is no private key that can be read (PEM or OpenSSH), or its passphrase is wrong: nothing was sent. Set it again, and the step continues."
              .formatted(ssh.key(), ssh.name()));
    }
    return keys;
  }

  /** Secrets are often stored without the last line break, or with those of another system. */
  private static String lines(String text) {
    return text.strip().replace("\r\n", "\n") + "\n";
  }

  private @Nullable String secret(Connection.Ssh ssh, @Nullable String name) {
    return name == null
        ? null
        : secrets.use(name, new SecretRecipient(ssh.host(), ssh.port(), true), redaction);
  }

  // ---- the client

  /** Its classes and threads exist from the first use on. */
  private synchronized SshClient client() {
    if (isClosed) {
      throw new NotApplied("the server is closing: nothing was sent");
    }
    SshClient current = client;
    if (current == null) {
      current = start();
      client = current;
    }
    return current;
  }

  private static SshClient start() {
    SshClient client =
        ClientBuilder.builder()
            .serverKeyVerifier(HostKeys.verifier())
            .hostConfigEntryResolver(HostConfigEntryResolver.EMPTY)
            .forwardingFilter(RejectAllForwardingFilter.INSTANCE)
            .build();
    client.setKeyIdentityProvider(KeyIdentityProvider.EMPTY_KEYS_PROVIDER);
    client.setFilePasswordProvider(FilePasswordProvider.EMPTY);
    client.setUserAuthFactories(
        List.of(UserAuthPublicKeyFactory.INSTANCE, UserAuthPasswordFactory.INSTANCE));
    client.setSignatureFactories( // a pinned key is no certificate
        client.getSignatureFactories().stream()
            .filter(signature -> !signature.getName().contains("-cert-"))
            .toList());
    CoreModuleProperties.HEARTBEAT_INTERVAL.set(client, HEARTBEAT);
    CoreModuleProperties.HEARTBEAT_NO_REPLY_MAX.set(client, LOST_HEARTBEATS);
    CoreModuleProperties.PASSWORD_PROMPTS.set(client, 1);
    CoreModuleProperties.NIO_WORKERS.set(client, IO_THREADS);
    client.start();
    return client;
  }

  /** Ends all sessions: what they were doing is in doubt, and the launcher settles it. */
  @Override
  public synchronized void close() {
    isClosed = true;
    if (client != null) {
      client.close(true);
    }
  }
}
