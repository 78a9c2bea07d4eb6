package dev.hapax.flows.connection;

import dev.hapax.flow.Rejected;
import dev.hapax.flow.SqlDatabase;
import dev.hapax.json.Text;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Tries a connection as far as that has no effect: it resolves the name, connects, encrypts and
 * authenticates, over the same {@link Egress} and with the same secrets as a step. Bounded in time
 * and bytes. Safe for many threads.
 */
public final class ConnectionTrial {
  /** The time to resolve, connect and encrypt, and again the time of the conversation. */
  private static final Duration LIMIT = Duration.ofSeconds(10);

  /** A handshake needs a few thousand bytes. */
  private static final long MOST_BYTES = 1L << 20;

  private static final int LONGEST_DETAIL = 500;

  private static final String CLOSED =
      "Use a public address, or let an admin of the operator's tenant add the host to"
          + " 'privateHosts'.";

  /** The content of an answer does not matter. */
  private static final LargeBodies UNREAD =
      new LargeBodies() {
        @Override
        public int largestValue() {
          return 16 << 10;
        }

        @Override
        public Object keep(InputStream body, String contentType) {
          return Map.of();
        }
      };

  private final Egress egress;
  private final HttpClient client;
  private final Mailer mailer;
  private final Databases databases;
  private final RemoteHosts hosts;
  private final BrokerClients brokers;
  private final Secrets secrets;
  private final Redaction redaction;

  public ConnectionTrial(
      Egress egress,
      HttpClient client,
      Mailer mailer,
      Databases databases,
      RemoteHosts hosts,
      BrokerClients brokers,
      Secrets secrets,
      Redaction redaction) {
    this.egress = egress;
    this.client = client;
    this.mailer = mailer;
    this.databases = databases;
    this.hosts = hosts;
    this.brokers = brokers;
    this.secrets = secrets;
    this.redaction = redaction;
  }

  /** Tries it now, on the caller's thread. */
  public TrialReport run(Connection connection) {
    var stages = new ArrayList<TrialStage>();
    try {
      switch (connection) {
        case Connection.Http http -> http(http, stages);
        case Connection.Model model -> http(model.http(), stages);
        case Connection.Webhook webhook -> webhook(webhook, stages);
        case Connection.Smtp smtp -> smtp(smtp, stages);
        case Connection.Postgres postgres -> postgres(postgres, stages);
        case Connection.Ssh ssh -> ssh(ssh, stages);
        case Connection.Kafka kafka -> kafka(kafka, stages);
        case Connection.RabbitMq rabbit -> rabbit(rabbit, stages);
        case Connection.Sqs sqs -> sqs(sqs, stages);
        case Connection.Database given -> query(given::database, "the database", stages);
      }
    } catch (Stopped e) {
      // the stage that failed is the last one
    }
    return new TrialReport(connection, stages);
  }

  // ---- stages

  /** A stage has failed, and the next ones make no sense. */
  private static final class Stopped extends Exception {
    private static final long serialVersionUID = 1L;
  }

  @FunctionalInterface
  private interface Attempt<T> {
    T make() throws Exception;
  }

  private <T> T pass(
      List<TrialStage> stages,
      String stage,
      Attempt<T> attempt,
      Function<T, String> detail,
      String fix)
      throws Stopped {
    try {
      T result = attempt.make();
      stages.add(TrialStage.ok(stage, detail.apply(result)));
      return result;
    } catch (Exception e) {
      if (e instanceof InterruptedException) {
        Thread.currentThread().interrupt();
      }
      stages.add(TrialStage.failed(stage, shown(e), e instanceof Refused ? CLOSED : fix));
      throw new Stopped();
    }
  }

  private String shown(Exception e) {
    String text = Text.storable(redaction.redact(String.valueOf(e.getMessage())));
    return text.length() > LONGEST_DETAIL ? text.substring(0, LONGEST_DETAIL) + "…" : text;
  }

  /** The address of a destination. */
  private record Place(String host, int port, Set<String> privateHosts, Duration connectTimeout) {
    static Place of(URI uri, Set<String> privateHosts, Duration connectTimeout) {
      int usual = "https".equals(uri.getScheme()) ? 443 : 80;
      return new Place(
          String.valueOf(uri.getHost()),
          uri.getPort() < 0 ? usual : uri.getPort(),
          privateHosts,
          connectTimeout);
    }
  }

  /** Opens a way there and closes it; the conversation opens its own. */
  private void reach(Place place, boolean isEncrypted, List<TrialStage> stages) throws Stopped {
    try (AttemptBudget budget = egress.begin(LIMIT, MOST_BYTES)) {
      List<InetAddress> all =
          pass(
              stages,
              "resolve",
              () -> egress.addresses(place.host(), place.privateHosts(), budget),
              found ->
                  "'%s' is %s"
                      .formatted(
                          place.host(),
                          String.join(
                              ", ", found.stream().map(InetAddress::getHostAddress).toList())),
              "Correct the host of the connection, or the name service of the server's machine.");
      Socket socket =
          pass(
              stages,
              "connect",
              () ->
                  egress.connect(
                      place.host(),
                      place.port(),
                      place.connectTimeout(),
                      place.privateHosts(),
                      budget),
              _ -> "port %d of one of %d addresses".formatted(place.port(), all.size()),
              "Check the port, whether the destination is running, and whether a firewall lets this"
                  + " server through.");
      try {
        if (isEncrypted) {
          pass(
              stages,
              "tls",
              () -> egress.encrypt(socket, place.host(), place.port(), budget),
              _ -> "the certificate is valid for '%s'".formatted(place.host()),
              "The certificate must be valid for this host, and this server must trust its"
                  + " issuer.");
        }
      } finally {
        Egress.close(socket);
      }
    }
  }

  // ---- HTTP

  private void http(Connection.Http http, List<TrialStage> stages) throws Stopped {
    reach(
        Place.of(http.base(), http.privateHosts(), http.connectTimeout()),
        "https".equals(http.base().getScheme()),
        stages);
    String path = http.test();
    String what = path == null ? "HEAD of the base address" : "GET " + path;
    int status =
        pass(
            stages,
            "request",
            () -> status(http, path == null ? "HEAD" : "GET", path == null ? "" : path),
            code -> "%s: HTTP %d".formatted(what, code),
            "Correct the connection or its secret; 'hapax secrets list' shows the hosts of each"
                + " secret.");
    judge(http, what, status, stages);
  }

  private int status(Connection.Http http, String method, String path) throws AnswerLost {
    return client
        .send(
            http,
            new HttpRequest(http.name(), method, path, Map.of(), null),
            Map.of(),
            LIMIT,
            UNREAD)
        .status();
  }

  /** What the status says about the credential, or about a path that should be there. */
  private static void judge(
      Connection.Http http, String what, int status, List<TrialStage> stages) {
    String secret = http.auth().secret();
    String detail = "%s: HTTP %d".formatted(what, status);
    if (status == 401 || status == 403 || status == 407) {
      stages.add(
          TrialStage.failed(
              "authenticate",
              detail,
              secret == null
                  ? "The destination wants a credential: add 'auth' to the connection."
                  : "Write secret '%s' again, or correct 'auth' of the connection."
                      .formatted(secret)));
    } else if (status >= 500) {
      stages.add(
          TrialStage.failed("answer", detail, "The destination has a problem; try again later."));
    } else if (status >= 400 && http.test() != null) {
      stages.add(TrialStage.failed("answer", detail, "Correct 'test' of the connection."));
    } else if (secret != null && (status >= 300 || http.test() == null)) {
      stages.add(
          TrialStage.unknown(
              "authenticate",
              "%s, which does not prove that the destination accepted the secret".formatted(detail),
              "Add 'test' to the connection: a path that answers 2xx only to a valid credential."));
    } else if (secret != null) {
      stages.add(TrialStage.ok("authenticate", "accepted with secret '%s'".formatted(secret)));
    }
  }

  // ---- a receiver of messages

  private void webhook(Connection.Webhook webhook, List<TrialStage> stages) throws Stopped {
    URI url = webhook.url();
    boolean isEncrypted = "https".equals(url.getScheme());
    Place place = Place.of(url, webhook.privateHosts(), LIMIT);
    reach(place, isEncrypted, stages);
    String secret = webhook.secret();
    if (secret != null) {
      pass(
          stages,
          "secret",
          () ->
              secrets.use(secret, new SecretRecipient(place.host(), place.port(), true), redaction),
          _ -> "messages are signed with secret '%s'".formatted(secret),
          "Set it: hapax secrets put %s.".formatted(secret));
    }
    var http =
        Connection.Http.of(webhook.name(), url.toString())
            .privateHosts(webhook.privateHosts().toArray(String[]::new));
    int status =
        pass(
            stages,
            "request",
            () -> status(http, "HEAD", ""),
            code -> "HEAD: HTTP %d".formatted(code),
            "Check whether the receiver is running.");
    stages.add(
        status >= 500
            ? TrialStage.failed(
                "answer",
                "HEAD: HTTP %d".formatted(status),
                "The receiver has a problem; try again later.")
            : TrialStage.unknown(
                "accept",
                "a receiver shows only with a message whether it accepts the signature",
                "Publish a message, and read the history of its run."));
  }

  // ---- mail

  private void smtp(Connection.Smtp smtp, List<TrialStage> stages) throws Stopped {
    var place = new Place(smtp.host(), smtp.port(), smtp.privateHosts(), LIMIT);
    reach(place, smtp.tls() == Connection.Smtp.Tls.IMPLICIT, stages);
    var passed = new ArrayList<String>();
    try {
      mailer.visit(smtp, LIMIT, passed::add);
    } catch (RuntimeException e) {
      talked(smtp, passed, stages);
      stages.add(failedAfter(smtp, passed, shown(e)));
      throw new Stopped();
    }
    talked(smtp, passed, stages);
    stages.add(TrialStage.ok("noop", "NOOP was answered; no mail was sent"));
  }

  private static void talked(Connection.Smtp smtp, List<String> passed, List<TrialStage> stages) {
    if (passed.contains(Mailer.GREETED)) {
      stages.add(TrialStage.ok(Mailer.GREETED, "the server answered EHLO"));
    }
    if (passed.contains(Mailer.ENCRYPTED) && smtp.tls() == Connection.Smtp.Tls.STARTTLS) {
      stages.add(
          TrialStage.ok(
              Mailer.ENCRYPTED,
              "STARTTLS; the certificate is valid for '%s'".formatted(smtp.host())));
    }
    if (passed.contains(Mailer.LOGGED_IN) && smtp.user() != null && smtp.secret() != null) {
      stages.add(
          TrialStage.ok(
              Mailer.LOGGED_IN,
              "AUTH PLAIN as '%s' with secret '%s'".formatted(smtp.user(), smtp.secret())));
    }
  }

  private static TrialStage failedAfter(Connection.Smtp smtp, List<String> passed, String detail) {
    return switch (passed.size()) {
      case 0 ->
          TrialStage.failed(
              Mailer.GREETED,
              detail,
              "Check host and port, and 'tls': a server with implicit TLS is often at port 465.");
      case 1 ->
          TrialStage.failed(
              Mailer.ENCRYPTED,
              detail,
              "The server must offer STARTTLS and have a certificate for this host; else correct"
                  + " 'tls'.");
      case 2 ->
          TrialStage.failed(
              Mailer.LOGGED_IN,
              detail,
              "Correct 'user' of the connection, or write secret '%s' again."
                  .formatted(smtp.secret()));
      default ->
          TrialStage.failed("noop", detail, "The mail server has a problem; try again later.");
    };
  }

  // ---- databases

  private void postgres(Connection.Postgres postgres, List<TrialStage> stages) throws Stopped {
    reach(
        new Place(postgres.host(), postgres.port(), postgres.privateHosts(), LIMIT), false, stages);
    query(
        () -> databases.open(postgres, LIMIT),
        "database '%s' as '%s'".formatted(postgres.database(), postgres.user()),
        stages);
  }

  private void query(Supplier<SqlDatabase> database, String what, List<TrialStage> stages)
      throws Stopped {
    pass(
        stages,
        "query",
        () -> database.get().run("SELECT 1", Map.of()),
        _ -> "SELECT 1 in %s".formatted(what),
        "Check user, secret, database and 'tls' of the connection, and the rights of the user.");
  }

  // ---- brokers

  private void kafka(Connection.Kafka kafka, List<TrialStage> stages) throws Stopped {
    Connection.Kafka.Server first = kafka.servers().getFirst();
    reach(
        new Place(first.host(), first.port(), kafka.privateHosts(), LIMIT),
        kafka.tls() == Connection.Encryption.VERIFIED,
        stages);
    visit(kafka, stages);
  }

  private void rabbit(Connection.RabbitMq rabbit, List<TrialStage> stages) throws Stopped {
    reach(
        new Place(rabbit.host(), rabbit.port(), rabbit.privateHosts(), LIMIT),
        rabbit.tls() == Connection.Encryption.VERIFIED,
        stages);
    visit(rabbit, stages);
  }

  private void sqs(Connection.Sqs sqs, List<TrialStage> stages) throws Stopped {
    reach(
        Place.of(sqs.endpoint(), sqs.privateHosts(), LIMIT),
        "https".equals(sqs.endpoint().getScheme()),
        stages);
    visit(sqs, stages);
  }

  private void visit(Connection broker, List<TrialStage> stages) throws Stopped {
    pass(
        stages,
        "broker",
        () -> brokers.visit(broker, LIMIT),
        Function.identity(),
        "Check user, secret and 'tls' of the connection, and the rights of the user.");
  }

  // ---- other machines

  private void ssh(Connection.Ssh ssh, List<TrialStage> stages) throws Stopped {
    reach(
        new Place(ssh.host(), ssh.port(), ssh.privateHosts(), ssh.connectTimeout()), false, stages);
    var passed = new ArrayList<String>();
    try {
      hosts.visit(ssh, LIMIT, passed::add);
    } catch (IOException | RuntimeException e) {
      met(ssh, passed, stages);
      stages.add(failedVisit(ssh, passed, e));
      throw new Stopped();
    }
    met(ssh, passed, stages);
    stages.add(TrialStage.ok("launcher", "a shell read the launcher; no job was begun"));
  }

  private static void met(Connection.Ssh ssh, List<String> passed, List<TrialStage> stages) {
    if (!passed.isEmpty()) {
      stages.add(TrialStage.ok(RemoteHosts.KNOWN, "the host has one of the pinned keys"));
      stages.add(TrialStage.ok(RemoteHosts.LOGGED_IN, "as user '%s'".formatted(ssh.user())));
    }
  }

  private TrialStage failedVisit(Connection.Ssh ssh, List<String> passed, Exception e) {
    if (!passed.isEmpty()) {
      return TrialStage.failed(
          "launcher",
          shown(e),
          "The user needs a POSIX shell 'sh' and a home folder that it can write to.");
    }
    return e instanceof Rejected refused && refused.code().equals(RemoteHosts.NO_LOGIN)
        ? TrialStage.failed(
            RemoteHosts.LOGGED_IN,
            shown(e),
            "Add the public key to ~/.ssh/authorized_keys of user '%s', or correct user and secret of the connection."
                .formatted(ssh.user()))
        : TrialStage.failed(
            RemoteHosts.KNOWN,
            shown(e),
            "Compare with the keys on the machine itself: for key in /etc/ssh/ssh_host_*.pub; do"
                + " ssh-keygen -lf $key; done");
  }
}
