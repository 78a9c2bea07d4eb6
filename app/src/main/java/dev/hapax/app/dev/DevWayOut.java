package dev.hapax.app.dev;

import dev.hapax.flow.SqlDatabase;
import dev.hapax.flows.connection.AnswerLost;
import dev.hapax.flows.connection.BrokerMessage;
import dev.hapax.flows.connection.Connection;
import dev.hapax.flows.connection.HttpAnswer;
import dev.hapax.flows.connection.HttpRequest;
import dev.hapax.flows.connection.LargeBodies;
import dev.hapax.flows.connection.Mail;
import dev.hapax.flows.connection.OutgoingRequest;
import dev.hapax.flows.connection.RemoteAnswer;
import dev.hapax.flows.connection.RemoteOrder;
import dev.hapax.flows.connection.TrialReport;
import dev.hapax.flows.connection.WayOut;
import dev.hapax.trial.recording.Recorder;
import dev.hapax.trial.sandbox.SandboxRequest;
import dev.hapax.trial.sandbox.TrialSandbox;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The way out of a development server: over the network to the hosts that the developer lists, and
 * to the sandbox for all others.
 */
public final class DevWayOut implements WayOut {
  private final WayOut network;
  private final TrialSandbox sandbox;
  private final DevAllowList allowed;
  private final DevMails mails;
  private final @Nullable Recorder recorder;

  /**
   * Puts the sandbox in front of the network.
   *
   * @param recorder writes down what is answered over the network; null if nothing is recorded
   */
  public DevWayOut(
      WayOut network,
      TrialSandbox sandbox,
      DevAllowList allowed,
      DevMails mails,
      @Nullable Recorder recorder) {
    this.recorder = recorder;
    this.network = network;
    this.sandbox = sandbox;
    this.allowed = allowed;
    this.mails = mails;
  }

  @Override
  public HttpAnswer http(
      Connection.@Nullable Http connection,
      HttpRequest request,
      Map<String, String> more,
      Duration timeout,
      @Nullable LargeBodies keeper)
      throws AnswerLost {
    URI address = URI.create(OutgoingRequest.of(connection, request, more).url());
    boolean isReached = allowed.allows(String.valueOf(address.getHost()), portOf(address));
    if (isReached && recorder != null) {
      return recorder.http(network, connection, request, more, timeout, keeper);
    }
    return (isReached ? network : sandbox).http(connection, request, more, timeout, keeper);
  }

  private static int portOf(URI address) {
    return address.getPort() >= 0
        ? address.getPort()
        : "https".equals(address.getScheme()) ? 443 : 80;
  }

  @Override
  public String mail(Connection.Smtp smtp, Mail mail, String key, Duration timeout)
      throws IOException {
    if (allowed.allows(smtp.host(), smtp.port())) {
      return network.mail(smtp, mail, key, timeout);
    }
    int before = sandbox.applied().size();
    try {
      return sandbox.mail(smtp, mail, key, timeout);
    } finally {
      long times = // none if it was refused, and two if it arrived twice
          sandbox.applied().stream()
              .skip(before)
              .filter(request -> request.way() == SandboxRequest.Way.MAIL)
              .filter(request -> request.from().wireKey().equals(key))
              .count();
      for (int i = 0; i < times; i++) {
        mails.took(smtp, mail);
      }
    }
  }

  @Override
  public SqlDatabase database(Connection.Postgres connection, Duration timeout) {
    return to(connection.host(), connection.port()).database(connection, timeout);
  }

  @Override
  public RemoteAnswer remote(
      Connection.Ssh ssh,
      RemoteOrder order,
      Duration timeout,
      LargeBodies keeper,
      BooleanSupplier isToEnd)
      throws IOException {
    return to(ssh.host(), ssh.port()).remote(ssh, order, timeout, keeper, isToEnd);
  }

  @Override
  public void publish(Connection connection, BrokerMessage message, Duration timeout)
      throws Exception {
    to(connection).publish(connection, message, timeout);
  }

  @Override
  public TrialReport test(Connection connection) {
    return to(connection).test(connection);
  }

  private WayOut to(Connection connection) {
    return switch (connection) {
      case Connection.Http http -> to(http.base());
      case Connection.Model model -> to(model.base());
      case Connection.Webhook webhook -> to(webhook.url());
      case Connection.Smtp smtp -> to(smtp.host(), smtp.port());
      case Connection.Postgres postgres -> to(postgres.host(), postgres.port());
      case Connection.Ssh ssh -> to(ssh.host(), ssh.port());
      case Connection.Kafka kafka ->
          kafka.servers().stream().allMatch(one -> allowed.allows(one.host(), one.port()))
              ? network
              : sandbox;
      case Connection.RabbitMq rabbit -> to(rabbit.host(), rabbit.port());
      case Connection.Sqs sqs -> to(sqs.endpoint());
      case Connection.Database _ -> network; // the program's own
    };
  }

  private WayOut to(URI address) {
    return to(String.valueOf(address.getHost()), portOf(address));
  }

  private WayOut to(String host, int port) {
    return allowed.allows(host, port) ? network : sandbox;
  }

  @Override
  public void close() {
    network.close();
    sandbox.close();
  }
}
