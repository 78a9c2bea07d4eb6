package dev.hapax.flows.connection;

import dev.hapax.flow.SqlDatabase;
import dev.hapax.json.AnswerRoom;
import dev.hapax.time.Clock;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** The way out over the network, through {@link Egress}. */
public final class NetworkWayOut implements WayOut {
  private final HttpClient client;
  private final Mailer mailer;
  private final Databases databases;
  private final RemoteHosts hosts;
  private final BrokerClients brokers;
  private final ConnectionTrial trial;
  private final Redaction redaction;

  public NetworkWayOut(
      Egress egress,
      Secrets secrets,
      Redaction redaction,
      Clock clock,
      Databases.Driver driver,
      BrokerClients.Opening clients) {
    this.redaction = redaction;
    this.client = new HttpClient(egress, secrets, redaction, clock);
    this.mailer = new Mailer(egress, secrets, redaction, clock);
    this.databases = new Databases(egress, secrets, redaction, driver);
    this.hosts = new RemoteHosts(egress, secrets, redaction);
    this.brokers = clients.open(this, new BrokerWay(egress, secrets, redaction));
    this.trial =
        new ConnectionTrial(egress, client, mailer, databases, hosts, brokers, secrets, redaction);
  }

  @Override
  public HttpAnswer http(
      Connection.@Nullable Http connection,
      HttpRequest request,
      Map<String, String> more,
      Duration timeout,
      @Nullable LargeBodies keeper)
      throws AnswerLost {
    AnswerRoom.leave();
    return client.send(connection, request, more, timeout, keeper);
  }

  @Override
  public String mail(Connection.Smtp smtp, Mail mail, String key, Duration timeout)
      throws IOException {
    AnswerRoom.leave();
    return mailer.send(smtp, mail, key, timeout);
  }

  @Override
  public SqlDatabase database(Connection.Postgres connection, Duration timeout) {
    return databases.open(connection, timeout);
  }

  @Override
  public RemoteAnswer remote(
      Connection.Ssh ssh,
      RemoteOrder order,
      Duration timeout,
      LargeBodies keeper,
      BooleanSupplier isToEnd)
      throws IOException {
    AnswerRoom.leave();
    try {
      return hosts.carryOut(ssh, order, timeout, keeper, isToEnd);
    } catch (IOException e) {
      throw redaction.redacted(e);
    } catch (RuntimeException e) {
      throw redaction.redacted(e);
    }
  }

  @Override
  public void publish(Connection connection, BrokerMessage message, Duration timeout)
      throws Exception {
    AnswerRoom.leave();
    try {
      brokers.publish(connection, message, timeout);
    } catch (Exception e) {
      throw redaction.redacted(e);
    }
  }

  @Override
  public TrialReport test(Connection connection) {
    return trial.run(connection);
  }

  @Override
  public void close() {
    client.close();
    hosts.close();
    brokers.close();
  }
}
