package dev.hapax.app.crash.blueprint;

import dev.hapax.app.ServerCalls.Reply;
import dev.hapax.app.crash.blueprint.Visit.Answer;
import dev.hapax.json.Json;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The webhook sync: a shop that sends each event several times and in any order, two of them with
 * an equal version, and a CRM that writes down every change.
 */
final class Customers implements Blueprint {
  static final String SECRET = "the shop's signing secret";

  private static final Set<String> OUTCOMES = Set.of("accepted", "duplicate", "stale");

  private record Event(String id, String customer, long version, String email) {}

  private final Door door;
  // All by this.
  private final Map<String, Event> sent = new TreeMap<>();
  private final Map<String, List<Event>> crm = new TreeMap<>();
  private final Map<String, String> news = new HashMap<>();
  private final List<String> strange = new ArrayList<>();

  Customers(Door door) {
    this.door = door;
  }

  @Override
  public String flow() {
    return "sync-customer";
  }

  @Override
  public List<String> connections() {
    return List.of("crm", "news");
  }

  @Override
  public List<Callable<?>> work(int life) {
    var work = new ArrayList<Callable<?>>();
    for (int i = 0; i < 2; i++) {
      String customer = "C-" + (life + i) % 4;
      String id = "evt-%d-%d-".formatted(life, i);
      for (Event event :
          List.of(
              new Event(id + "a", customer, 10L * life + 1, id + "a@example.org"),
              new Event(id + "b", customer, 10L * life + 2, id + "b@example.org"),
              new Event(id + "c", customer, 10L * life + 2, id + "c@example.org"))) {
        remember(event);
        work.add(() -> deliver(event));
        work.add(() -> deliver(event));
      }
    }
    return work;
  }

  private synchronized void remember(Event event) {
    sent.put(event.id(), event);
  }

  private Reply deliver(Event event) throws InterruptedException {
    String body = Json.write(event);
    Reply reply =
        door.ask("POST", "/hooks/shop/customers", body, "X-Shop-Signature", signature(body));
    if (reply.status() != 200 || !OUTCOMES.contains(reply.at("/outcome"))) {
      synchronized (this) {
        strange.add(event + ": " + reply);
      }
    }
    return reply;
  }

  private static String signature(String body) {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(SECRET.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
      return HexFormat.of().formatHex(mac.doFinal(body.getBytes(StandardCharsets.UTF_8)));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public synchronized @Nullable Answer visit(Visit visit) {
    if (visit.is("crm", "PUT", "/customers/")) {
      String customer = visit.last();
      var change =
          new Event("", customer, visit.json().path("version").asLong(), visit.field("email"));
      crm.computeIfAbsent(customer, _ -> new ArrayList<>()).add(change);
      return Visit.ok();
    }
    if (visit.is("news", "POST", "/changes")) {
      news.putIfAbsent(visit.key(), visit.field("event"));
      return Visit.ok();
    }
    return null;
  }

  @Override
  public @Nullable String look(String effect, String key) {
    return null; // both guards settle by themselves
  }

  @Override
  public synchronized List<String> problems(List<JsonNode> runs) {
    var problems = new ArrayList<>(strange);
    Blueprint.expect(problems, runs, run -> Blueprint.hasEnded(run, "succeeded"));
    Map<String, JsonNode> byEvent =
        runs.stream().collect(Collectors.toMap(run -> run.path("key").asString(), run -> run));
    crm.forEach(
        (customer, changes) -> {
          for (int i = 1; i < changes.size(); i++) {
            if (changes.get(i).version() < changes.get(i - 1).version()) {
              problems.add("%s went back: %s".formatted(customer, changes));
            }
          }
        });
    for (Event event : sent.values()) {
      problems.addAll(problems(event, byEvent.get(event.id())));
    }
    return problems;
  }

  private List<String> problems(Event event, @Nullable JsonNode run) {
    var problems = new ArrayList<String>();
    List<Event> changes = Objects.requireNonNullElse(crm.get(event.customer()), List.of());
    long newest =
        sent.values().stream()
            .filter(other -> other.customer().equals(event.customer()))
            .mapToLong(Event::version)
            .max()
            .orElseThrow();
    boolean arrived = changes.stream().anyMatch(change -> change.email().equals(event.email()));
    boolean synced = run != null && run.at("/output/synced").asBoolean();
    if (event.version() == newest && !synced) {
      problems.add("the newest change was left out: %s, %s".formatted(event, run));
    }
    if (arrived != synced) {
      problems.add("%s is %sin the CRM: %s".formatted(event, arrived ? "" : "not ", run));
    }
    int told = Collections.frequency(List.copyOf(news.values()), event.id());
    if (told != (synced ? 1 : 0)) {
      problems.add("%s was told %d times: %s".formatted(event, told, run));
    }
    return problems;
  }
}
