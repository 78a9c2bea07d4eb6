package dev.hapax.flows.connection;

import dev.hapax.flow.SqlDatabase;
import dev.hapax.time.Clock;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The way out over the network, through {@link Egress}. */
public final class NetworkWayOut implements WayOut {
  private final HttpClient client;
  private final Mailer mailer;
  private final Databases databases;
  private final ConnectionTrial trial;

  public NetworkWayOut(
      Egress egress, Secrets secrets, Redaction redaction, Clock clock, Databases.Driver driver) {
    this.client = new HttpClient(egress, secrets, redaction, clock);
    this.mailer = new Mailer(egress, secrets, redaction, clock);
    this.databases = new Databases(egress, secrets, redaction, driver);
    this.trial = new ConnectionTrial(egress, client, mailer, databases, secrets, redaction);
  }

  @Override
  public HttpAnswer http(
      Connection.@Nullable Http connection,
      HttpRequest request,
      Map<String, String> more,
      Duration timeout,
      @Nullable LargeBodies keeper)
      throws AnswerLost {
    return client.send(connection, request, more, timeout, keeper);
  }

  @Override
  public String mail(Connection.Smtp smtp, Mail mail, String key, Duration timeout)
      throws IOException {
    return mailer.send(smtp, mail, key, timeout);
  }

  @Override
  public SqlDatabase database(Connection.Postgres connection, Duration timeout) {
    return databases.open(connection, timeout);
  }

  @Override
  public TrialReport test(Connection connection) {
    return trial.run(connection);
  }

  @Override
  public void close() {
    client.close();
  }
}
