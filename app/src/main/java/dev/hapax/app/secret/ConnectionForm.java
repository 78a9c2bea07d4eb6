package dev.hapax.app.secret;

import dev.hapax.flows.connection.Connection;
import dev.hapax.flows.connection.ConnectionLimits;
import dev.hapax.flows.connection.CredentialHeaders;
import dev.hapax.flows.connection.Idempotency;
import dev.hapax.flows.connection.ModelDialect;
import dev.hapax.flows.connection.ModelPrices;
import dev.hapax.flows.connection.StatusMeanings;
import dev.hapax.flows.connection.WireHeaders;
import dev.hapax.flows.expression.Durations;
import dev.hapax.json.Text;
import java.math.BigDecimal;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A connection as people write it: exactly one of the kinds. It holds secrets by name only, and has
 * no place for a value.
 */
public record ConnectionForm(
    @Nullable Http http,
    @Nullable Llm llm,
    @Nullable Webhook webhook,
    @Nullable Smtp smtp,
    @Nullable Postgres postgres,
    @Nullable Ssh ssh,
    @Nullable Kafka kafka,
    @Nullable RabbitMq rabbitmq,
    @Nullable Sqs sqs) {
  private static final BigDecimal MOST_MONEY = BigDecimal.valueOf(1_000_000_000);
  private static final int MOST_DECIMALS = 9;
  private static final int MOST_SERVERS = 20;
  private static final int LONGEST_LOGIN = 255;
  private static final String FINGERPRINT = "SHA256:[A-Za-z0-9+/]{43}";

  /** An HTTP service. */
  public record Http(
      @Nullable String base,
      @Nullable Auth auth,
      @Nullable Map<String, String> headers,
      @Nullable Keys idempotency,
      @Nullable String connectTimeout,
      @Nullable Set<Integer> notApplied,
      @Nullable Set<Integer> alreadyDone,
      @Nullable Set<Integer> inFlight,
      @Nullable Set<String> privateHosts,
      @Nullable Limits limits,
      @Nullable String test) {}

  /** The credential of a request; at most one. */
  public record Auth(@Nullable String bearer, @Nullable Basic basic, @Nullable Header header) {}

  /** User and the name of the secret. */
  public record Basic(@Nullable String user, @Nullable String secret) {}

  /** A header and the name of the secret in it. */
  public record Header(@Nullable String name, @Nullable String secret) {}

  /** How the destination removes duplicates: a known provider, or spelled out. */
  public record Keys(
      @Nullable String provider,
      @Nullable String header,
      @Nullable String bodyField,
      @Nullable String window,
      @Nullable String stores,
      @Nullable String replayHeader,
      @Nullable Set<Integer> inFlight,
      @Nullable Set<Integer> keyReused,
      @Nullable Set<Integer> refusals) {}

  /** The limits of the destination. */
  public record Limits(@Nullable Pace rate, @Nullable Integer calls, @Nullable Break breaker) {}

  /** A number of calls in a period. */
  public record Pace(@Nullable Integer limit, @Nullable String per) {}

  /** A pause after a number of failures in a row. */
  public record Break(@Nullable Integer failures, @Nullable String pause) {}

  /** A provider of language models. */
  public record Llm(
      @Nullable String dialect,
      @Nullable String base,
      @Nullable String secret,
      @Nullable Map<String, String> headers,
      @Nullable String maxTokensField,
      @Nullable Map<String, TokenPrice> prices,
      @Nullable SpendLimit budget,
      @Nullable String connectTimeout,
      @Nullable Set<String> privateHosts,
      @Nullable Limits limits) {}

  /** The price of a million tokens; without {@code cachedInput} it is that of the input. */
  public record TokenPrice(
      @Nullable BigDecimal input, @Nullable BigDecimal cachedInput, @Nullable BigDecimal output) {}

  /** What all calls together may cost. */
  public record SpendLimit(@Nullable BigDecimal day) {}

  /** A receiver of published messages. */
  public record Webhook(
      @Nullable String url,
      @Nullable String secret,
      @Nullable Set<String> privateHosts,
      @Nullable Limits limits) {}

  /** A mail server. */
  public record Smtp(
      @Nullable String host,
      @Nullable Integer port,
      @Nullable String tls,
      @Nullable String from,
      @Nullable String user,
      @Nullable String secret,
      @Nullable Set<String> privateHosts,
      @Nullable Limits limits) {}

  /** A PostgreSQL database. */
  public record Postgres(
      @Nullable String host,
      @Nullable Integer port,
      @Nullable String database,
      @Nullable String user,
      @Nullable String secret,
      @Nullable String tls,
      @Nullable Set<String> privateHosts,
      @Nullable Limits limits) {}

  /** Another machine; with a private key, a password or both. */
  public record Ssh(
      @Nullable String host,
      @Nullable Integer port,
      @Nullable String user,
      @Nullable Set<String> hostKeys,
      @Nullable String key,
      @Nullable String passphrase,
      @Nullable String password,
      @Nullable String connectTimeout,
      @Nullable String keep,
      @Nullable Set<String> privateHosts,
      @Nullable Limits limits) {}

  /** A Kafka cluster. */
  public record Kafka(
      @Nullable List<String> servers,
      @Nullable String tls,
      @Nullable Login login,
      @Nullable Set<String> privateHosts,
      @Nullable Limits limits) {}

  /** A login by SASL: how, the user, and the name of the secret with the password. */
  public record Login(@Nullable String mechanism, @Nullable String user, @Nullable String secret) {}

  /** A RabbitMQ broker. */
  public record RabbitMq(
      @Nullable String host,
      @Nullable Integer port,
      @Nullable String vhost,
      @Nullable String user,
      @Nullable String secret,
      @Nullable String tls,
      @Nullable Set<String> privateHosts,
      @Nullable Limits limits) {}

  /** Queues of SQS. */
  public record Sqs(
      @Nullable String region,
      @Nullable String endpoint,
      @Nullable String accessKey,
      @Nullable String secret,
      @Nullable Set<String> privateHosts,
      @Nullable Limits limits) {}

  /** Returns the connection; refuses an unusable form, with what was expected. */
  public Connection toConnection(String name) {
    long given =
        Stream.of(http, llm, webhook, smtp, postgres, ssh, kafka, rabbitmq, sqs)
            .filter(Objects::nonNull)
            .count();
    if (given != 1) {
      throw new IllegalArgumentException(
          "connection '%s': expected one of http, llm, webhook, smtp, postgres, ssh, kafka, rabbitmq and sqs, got %d"
              .formatted(name, given));
    }
    if (kafka != null) {
      return kafka(name, kafka);
    }
    if (rabbitmq != null) {
      return rabbitmq(name, rabbitmq);
    }
    if (sqs != null) {
      return sqs(name, sqs);
    }
    if (http != null) {
      return http(name, http);
    }
    if (llm != null) {
      return llm(name, llm);
    }
    if (webhook != null) {
      return webhook(name, webhook);
    }
    if (smtp != null) {
      return smtp(name, smtp);
    }
    return ssh != null ? ssh(name, ssh) : postgres(name, Objects.requireNonNull(postgres));
  }

  /** Connections that were written before may still have such headers. */
  void refuseHeaders() {
    String kind = http != null ? "http" : "llm";
    Map<String, String> headers =
        http != null ? http.headers() : llm != null ? llm.headers() : null;
    if (headers == null) {
      return;
    }
    for (String header : headers.keySet()) {
      if (WireHeaders.contains(header)) {
        throw new IllegalArgumentException(
            "%s.headers: '%s' says where a request begins or ends, and only Hapax writes it. Remove it."
                .formatted(kind, header));
      }
      if (CredentialHeaders.contains(header)) {
        throw new IllegalArgumentException(
            "%s.headers: '%s' carries a credential, which would be stored readable. Use %s and a secret."
                .formatted(kind, header, http != null ? "http.auth" : "llm.secret"));
      }
    }
  }

  /** Returns the names of the secrets that it uses. */
  Set<String> secrets() {
    Auth auth = http == null ? null : http.auth();
    return Stream.of(
            auth == null ? null : auth.bearer(),
            auth == null || auth.basic() == null ? null : auth.basic().secret(),
            auth == null || auth.header() == null ? null : auth.header().secret(),
            llm == null ? null : llm.secret(),
            webhook == null ? null : webhook.secret(),
            smtp == null ? null : smtp.secret(),
            postgres == null ? null : postgres.secret(),
            ssh == null ? null : ssh.key(),
            ssh == null ? null : ssh.passphrase(),
            ssh == null ? null : ssh.password(),
            kafka == null || kafka.login() == null ? null : kafka.login().secret(),
            rabbitmq == null ? null : rabbitmq.secret(),
            sqs == null ? null : sqs.secret())
        .filter(Objects::nonNull)
        .collect(Collectors.toSet());
  }

  /** Returns the hosts that it leads to, in lower case. */
  Set<String> hosts() {
    if (kafka != null) {
      List<String> servers = kafka.servers();
      return (servers == null ? List.<String>of() : servers)
          .stream()
              .map(server -> server("kafka.servers", server).host().toLowerCase(Locale.ROOT))
              .collect(Collectors.toSet());
    }
    String host = host();
    return host == null ? Set.of() : Set.of(host);
  }

  private @Nullable String host() {
    String url = http != null ? http.base() : webhook != null ? webhook.url() : null;
    url = llm != null ? llm.base() : url;
    String host = smtp != null ? smtp.host() : postgres != null ? postgres.host() : null;
    if (ssh != null) {
      host = ssh.host();
    }
    if (rabbitmq != null) {
      host = rabbitmq.host();
    }
    if (sqs != null) {
      url = endpoint(sqs);
    }
    if (url != null) {
      host = URI.create(url).getHost();
    }
    return host == null ? null : host.toLowerCase(Locale.ROOT);
  }

  /** Returns the hosts in private networks that it wants to reach. */
  Set<String> privateHosts() {
    Set<String> hosts = http != null ? http.privateHosts() : null;
    hosts = llm != null ? llm.privateHosts() : hosts;
    hosts = webhook != null ? webhook.privateHosts() : hosts;
    hosts = smtp != null ? smtp.privateHosts() : hosts;
    hosts = postgres != null ? postgres.privateHosts() : hosts;
    hosts = ssh != null ? ssh.privateHosts() : hosts;
    hosts = kafka != null ? kafka.privateHosts() : hosts;
    hosts = rabbitmq != null ? rabbitmq.privateHosts() : hosts;
    hosts = sqs != null ? sqs.privateHosts() : hosts;
    return hosts == null ? Set.of() : hosts;
  }

  private static Connection http(String name, Http form) {
    Map<String, String> headers = form.headers() == null ? Map.of() : form.headers();
    return new Connection.Http(
        name,
        address("http.base", form.base()),
        auth(form.auth()),
        headers,
        keys(form.idempotency()),
        time("http.connectTimeout", form.connectTimeout(), Duration.ofSeconds(10)),
        orEmpty(form.privateHosts()),
        new StatusMeanings(
            orEmpty(form.notApplied()), orEmpty(form.alreadyDone()), orEmpty(form.inFlight())),
        limits(form.limits()),
        testPath(form.test()));
  }

  private static @Nullable String testPath(@Nullable String path) {
    if (path != null && !path.matches("/[!-~]{0,499}")) {
      throw new IllegalArgumentException(
          "http.test: expected a path such as /health, of at most 500 characters without spaces, got '%s'"
              .formatted(Text.storable(path)));
    }
    return path;
  }

  private static Connection llm(String name, Llm form) {
    String word = given("llm.dialect", form.dialect());
    ModelDialect dialect =
        Arrays.stream(ModelDialect.values())
            .filter(one -> one.word().equals(word))
            .findFirst()
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        "llm.dialect: expected openai or anthropic, got '%s'"
                            .formatted(Text.storable(word))));
    String lengthField =
        form.maxTokensField() == null ? Connection.Model.MAX_TOKENS : form.maxTokensField();
    if (!lengthField.equals(Connection.Model.MAX_TOKENS)
        && !lengthField.equals("max_completion_tokens")) {
      throw new IllegalArgumentException(
          "llm.maxTokensField: expected max_tokens or max_completion_tokens, got '%s'"
              .formatted(Text.storable(lengthField)));
    }
    SpendLimit budget = form.budget();
    return new Connection.Model(
        name,
        dialect,
        address("llm.base", form.base()),
        form.secret(),
        form.headers() == null ? Map.of() : form.headers(),
        lengthField,
        prices(form.prices()),
        budget == null ? null : amount("llm.budget.day", budget.day()),
        time("llm.connectTimeout", form.connectTimeout(), Duration.ofSeconds(10)),
        orEmpty(form.privateHosts()),
        limits(form.limits()));
  }

  private static ModelPrices prices(@Nullable Map<String, TokenPrice> form) {
    var prices = new LinkedHashMap<String, ModelPrices.Price>();
    if (form != null) {
      form.forEach(
          (model, price) -> {
            String what = "llm.prices['%s']".formatted(Text.storable(model));
            BigDecimal input = amount(what + ".input", given(what, price).input());
            BigDecimal cached = price.cachedInput();
            prices.put(
                model,
                new ModelPrices.Price(
                    input,
                    cached == null ? input : amount(what + ".cachedInput", cached),
                    amount(what + ".output", price.output())));
          });
    }
    return new ModelPrices(prices);
  }

  private static BigDecimal amount(String what, @Nullable BigDecimal value) {
    BigDecimal amount = given(what, value);
    if (amount.signum() < 0
        || amount.compareTo(MOST_MONEY) > 0
        || amount.stripTrailingZeros().scale() > MOST_DECIMALS) {
      throw new IllegalArgumentException(
          "%s: expected an amount from 0 to 1,000,000,000 with at most 9 decimals".formatted(what));
    }
    return amount;
  }

  private static Connection webhook(String name, Webhook form) {
    return new Connection.Webhook(
        name,
        address("webhook.url", form.url()),
        form.secret(),
        orEmpty(form.privateHosts()),
        limits(form.limits()));
  }

  private static Connection smtp(String name, Smtp form) {
    Connection.Smtp.Tls tls =
        switch (form.tls() == null ? "implicit" : form.tls()) {
          case "implicit" -> Connection.Smtp.Tls.IMPLICIT;
          case "starttls" -> Connection.Smtp.Tls.STARTTLS;
          case "none" -> Connection.Smtp.Tls.NONE;
          default ->
              throw new IllegalArgumentException(
                  "smtp.tls: expected implicit, starttls or none, got '%s'".formatted(form.tls()));
        };
    int port = port("smtp.port", form.port(), tls == Connection.Smtp.Tls.IMPLICIT ? 465 : 587);
    return new Connection.Smtp(
        name,
        host("smtp.host", inBrackets(given("smtp.host", form.host()))),
        port,
        tls,
        given("smtp.from", form.from()),
        form.user(),
        form.secret(),
        orEmpty(form.privateHosts()),
        limits(form.limits()));
  }

  private static Connection postgres(String name, Postgres form) {
    String host = host("postgres.host", form.host());
    Connection.Postgres.Tls tls =
        switch (form.tls() == null ? "verified" : form.tls()) {
          case "verified" -> Connection.Postgres.Tls.VERIFIED;
          case "required" -> Connection.Postgres.Tls.REQUIRED;
          case "none" -> Connection.Postgres.Tls.NONE;
          default ->
              throw new IllegalArgumentException(
                  "postgres.tls: expected verified, required or none, got '%s'"
                      .formatted(form.tls()));
        };
    return new Connection.Postgres(
        name,
        host,
        port("postgres.port", form.port(), 5432),
        given("postgres.database", form.database()),
        given("postgres.user", form.user()),
        form.secret(),
        tls,
        orEmpty(form.privateHosts()),
        limits(form.limits()));
  }

  private static Connection ssh(String name, Ssh form) {
    if (form.key() == null && form.password() == null) {
      throw new IllegalArgumentException(
          "ssh: expected key or password, each the name of a secret, got neither");
    }
    if (form.passphrase() != null && form.key() == null) {
      throw new IllegalArgumentException(
          "ssh.passphrase: it opens a private key, but there is no 'key'");
    }
    return new Connection.Ssh(
        name,
        host("ssh.host", form.host()),
        port("ssh.port", form.port(), Connection.Ssh.USUAL_PORT),
        user(form.user()),
        hostKeys(form.hostKeys()),
        form.key(),
        form.passphrase(),
        form.password(),
        time("ssh.connectTimeout", form.connectTimeout(), Duration.ofSeconds(10)),
        keep(form.keep()),
        orEmpty(form.privateHosts()),
        limits(form.limits()));
  }

  private static String user(@Nullable String text) {
    return user("ssh.user", 64, text);
  }

  private static String user(String what, int longest, @Nullable String text) {
    String user = given(what, text);
    if (!user.matches("[^\\p{Cntrl}\\s]+") || user.length() > longest) {
      throw new IllegalArgumentException(
          "%s: expected a name without spaces, of at most %d characters, got '%s'"
              .formatted(what, longest, Text.storable(user)));
    }
    return user;
  }

  private static Connection kafka(String name, Kafka form) {
    List<String> servers = form.servers() == null ? List.of() : form.servers();
    if (servers.isEmpty() || servers.size() > MOST_SERVERS) {
      throw new IllegalArgumentException(
          "kafka.servers: expected 1 to %d brokers such as kafka.example:9092"
              .formatted(MOST_SERVERS));
    }
    Login login = form.login();
    return new Connection.Kafka(
        name,
        servers.stream().map(server -> server("kafka.servers", server)).toList(),
        encryption("kafka.tls", form.tls()),
        login == null
            ? null
            : new Connection.Kafka.Login(
                mechanism(login.mechanism()),
                user("kafka.login.user", LONGEST_LOGIN, login.user()),
                given("kafka.login.secret", login.secret())),
        orEmpty(form.privateHosts()),
        limits(form.limits()));
  }

  private static Connection.Kafka.Mechanism mechanism(@Nullable String word) {
    String given = word == null ? Connection.Kafka.Mechanism.SCRAM_SHA_512.word() : word;
    return Arrays.stream(Connection.Kafka.Mechanism.values())
        .filter(one -> one.word().equals(given))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "kafka.login.mechanism: expected plain, scram-sha-256 or scram-sha-512, got '%s'"
                        .formatted(Text.storable(given))));
  }

  private static Connection.Kafka.Server server(String what, @Nullable String text) {
    String given = given(what, text);
    int colon = given.lastIndexOf(':');
    boolean hasPort = colon > given.lastIndexOf(']') && given.indexOf(':') >= 0;
    String digits = hasPort ? given.substring(colon + 1) : "";
    if (hasPort && !digits.matches("[0-9]{1,5}")) {
      throw new IllegalArgumentException(
          "%s: expected a broker such as kafka.example:9092, got '%s'"
              .formatted(what, Text.storable(given)));
    }
    return new Connection.Kafka.Server(
        host(what, hasPort ? given.substring(0, colon) : given),
        port(what, hasPort ? Integer.valueOf(digits) : null, Connection.Kafka.USUAL_PORT));
  }

  private static Connection.Encryption encryption(String what, @Nullable String word) {
    return switch (word == null ? "verified" : word) {
      case "verified" -> Connection.Encryption.VERIFIED;
      case "none" -> Connection.Encryption.NONE;
      default ->
          throw new IllegalArgumentException(
              "%s: expected verified or none, got '%s'"
                  .formatted(what, Text.storable(String.valueOf(word))));
    };
  }

  private static Connection rabbitmq(String name, RabbitMq form) {
    if ((form.user() == null) != (form.secret() == null)) {
      throw new IllegalArgumentException(
          "rabbitmq: expected user and secret, or neither for the guest of a broker on this"
              + " machine");
    }
    Connection.Encryption tls = encryption("rabbitmq.tls", form.tls());
    String vhost = form.vhost() == null ? "/" : form.vhost();
    if (vhost.isEmpty() || vhost.length() > LONGEST_LOGIN) {
      throw new IllegalArgumentException(
          "rabbitmq.vhost: expected 1 to %d characters".formatted(LONGEST_LOGIN));
    }
    return new Connection.RabbitMq(
        name,
        host("rabbitmq.host", form.host()),
        port(
            "rabbitmq.port",
            form.port(),
            tls == Connection.Encryption.VERIFIED
                ? Connection.RabbitMq.USUAL_TLS_PORT
                : Connection.RabbitMq.USUAL_PORT),
        vhost,
        form.user() == null ? null : user("rabbitmq.user", LONGEST_LOGIN, form.user()),
        form.secret(),
        tls,
        orEmpty(form.privateHosts()),
        limits(form.limits()));
  }

  private static Connection sqs(String name, Sqs form) {
    return new Connection.Sqs(
        name,
        region(form.region()),
        address("sqs.endpoint", endpoint(form)),
        user("sqs.accessKey", LONGEST_LOGIN, form.accessKey()),
        given("sqs.secret", form.secret()),
        orEmpty(form.privateHosts()),
        limits(form.limits()));
  }

  private static String endpoint(Sqs form) {
    return form.endpoint() == null
        ? "https://sqs.%s.amazonaws.com".formatted(region(form.region()))
        : form.endpoint();
  }

  private static String region(@Nullable String text) {
    String region = given("sqs.region", text);
    if (!region.matches("[a-z0-9][a-z0-9-]{0,49}")) {
      throw new IllegalArgumentException(
          "sqs.region: expected a region such as eu-central-1, got '%s'"
              .formatted(Text.storable(region)));
    }
    return region;
  }

  /** Without a key that is known before, another machine could answer. */
  private static Set<String> hostKeys(@Nullable Set<String> keys) {
    Set<String> given = orEmpty(keys);
    if (given.isEmpty() || given.stream().anyMatch(key -> !key.matches(FINGERPRINT))) {
      throw new IllegalArgumentException(
          "ssh.hostKeys: expected the fingerprints of the machine's keys, such as SHA256: and 43"
              + " characters; on the machine: ssh-keygen -lf /etc/ssh/ssh_host_ed25519_key.pub");
    }
    return given;
  }

  private static Duration keep(@Nullable String text) {
    Duration keep = time("ssh.keep", text, Connection.Ssh.USUAL_KEEP);
    if (keep.compareTo(Duration.ofDays(1)) < 0) {
      throw new IllegalArgumentException(
          "ssh.keep: expected at least 1d, got '%s'".formatted(text));
    }
    return keep;
  }

  private static String inBrackets(String host) {
    return host.contains(":") && !host.startsWith("[") ? "[" + host + "]" : host;
  }

  /** A line break or an escape in it could mean another host to another reader. */
  private static String host(String what, @Nullable String text) {
    String host = given(what, text);
    if (!host.matches("[A-Za-z0-9._-]+|\\[[0-9A-Fa-f:.]+]")) {
      throw new IllegalArgumentException(
          "%s: expected a name, or an address such as 192.0.2.1 or [2001:db8::1], got '%s'"
              .formatted(what, Text.storable(host)));
    }
    return host;
  }

  private static int port(String what, @Nullable Integer given, int usual) {
    int port = given == null ? usual : given;
    if (port < 1 || port > 65_535) {
      throw new IllegalArgumentException(what + ": expected 1 to 65535, got " + port);
    }
    return port;
  }

  private static Connection.Auth auth(@Nullable Auth form) {
    if (form == null) {
      return new Connection.Auth.None();
    }
    if (Stream.of(form.bearer(), form.basic(), form.header()).filter(Objects::nonNull).count()
        != 1) {
      throw new IllegalArgumentException("http.auth: expected one of bearer, basic and header");
    }
    if (form.bearer() != null) {
      return new Connection.Auth.Bearer(form.bearer());
    }
    Basic basic = form.basic();
    if (basic != null) {
      return new Connection.Auth.Basic(
          given("http.auth.basic.user", basic.user()),
          given("http.auth.basic.secret", basic.secret()));
    }
    Header header = Objects.requireNonNull(form.header());
    return new Connection.Auth.Header(
        given("http.auth.header.name", header.name()),
        given("http.auth.header.secret", header.secret()));
  }

  private static Idempotency keys(@Nullable Keys form) {
    if (form == null) {
      return Idempotency.USUAL;
    }
    if (form.provider() != null) {
      Idempotency known = Idempotency.of(form.provider());
      return form.refusals() == null
          ? known
          : known.refusals(form.refusals().toArray(Integer[]::new));
    }
    if ("none".equals(form.stores())) {
      return withoutKeys(form);
    }
    Idempotency.Stores stores =
        switch (form.stores() == null ? "all" : form.stores()) {
          case "all" -> Idempotency.Stores.ALL;
          case "success" -> Idempotency.Stores.SUCCESS;
          default ->
              throw new IllegalArgumentException(
                  "http.idempotency.stores: expected all, success or none, got '%s'"
                      .formatted(form.stores()));
        };
    boolean isInBody = form.bodyField() != null;
    if (isInBody && form.header() != null) {
      throw new IllegalArgumentException(
          "http.idempotency: expected header or bodyField, got both");
    }
    Idempotency usual = Idempotency.USUAL;
    return new Idempotency(
        isInBody ? null : form.header() == null ? usual.header() : form.header(),
        form.bodyField(),
        time("http.idempotency.window", form.window(), usual.window()),
        stores,
        form.replayHeader(),
        form.inFlight() == null ? usual.inFlight() : form.inFlight(),
        form.keyReused() == null ? usual.keyReused() : form.keyReused(),
        form.refusals() == null ? usual.refusals() : form.refusals());
  }

  private static Idempotency withoutKeys(Keys form) {
    var alone = new Keys(null, null, null, null, form.stores(), null, null, null, null);
    if (!form.equals(alone)) {
      throw new IllegalArgumentException(
          "http.idempotency: a destination that stores none takes no keys, so nothing else fits"
              + " beside it");
    }
    return Idempotency.NONE;
  }

  private static ConnectionLimits limits(@Nullable Limits form) {
    ConnectionLimits limits = ConnectionLimits.NONE;
    if (form == null) {
      return limits;
    }
    Pace pace = form.rate();
    if (pace != null) {
      Duration per = time("limits.rate.per", pace.per(), Duration.ofSeconds(1));
      limits = limits.rate(given("limits.rate.limit", pace.limit()), per);
    }
    Integer calls = form.calls();
    if (calls != null) {
      limits = limits.calls(calls);
    }
    Break pause = form.breaker();
    if (pause != null) {
      Duration length = time("limits.breaker.pause", pause.pause(), Duration.ofSeconds(30));
      limits = limits.breaker(given("limits.breaker.failures", pause.failures()), length);
    }
    return limits;
  }

  /** Refuses a user and password in it: they would be stored readable, and shown. */
  private static URI address(String what, @Nullable String text) {
    try {
      URI address = new URI(given(what, text));
      boolean isHttp = "https".equals(address.getScheme()) || "http".equals(address.getScheme());
      if (isHttp && address.getHost() != null && address.getUserInfo() == null) {
        return address;
      }
    } catch (URISyntaxException e) {
      // falls through to the one message, which does not repeat a possible password
    }
    throw new IllegalArgumentException(
        what + ": expected http:// or https:// and a host, without user and password");
  }

  private static Duration time(String what, @Nullable String text, Duration otherwise) {
    Duration parsed = text == null ? otherwise : Durations.parse(text);
    if (parsed == null || parsed.isZero()) {
      throw new IllegalArgumentException(
          "%s: expected a duration such as '30s' or '24h', got '%s'".formatted(what, text));
    }
    return parsed;
  }

  private static <T> T given(String what, @Nullable T value) {
    if (value == null) {
      throw new IllegalArgumentException(what + ": expected a value, got none");
    }
    return value;
  }

  private static <T> Set<T> orEmpty(@Nullable Set<T> some) {
    return some == null ? Set.of() : Set.copyOf(some);
  }
}
