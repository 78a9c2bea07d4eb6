package dev.hapax.app.crash.blueprint;

import dev.hapax.app.crash.blueprint.Visit.Answer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** The single charge: buyers, and a mailer that sends whatever arrives. */
final class Charges implements Blueprint {
  private final Door door;
  private final Payments payments;
  private final Set<String> paid = new ConcurrentSkipListSet<>();
  private final Set<String> free = new ConcurrentSkipListSet<>();
  private final List<String> mails = new CopyOnWriteArrayList<>();

  Charges(Door door, Payments payments) {
    this.door = door;
    this.payments = payments;
  }

  @Override
  public String flow() {
    return "charge-order";
  }

  @Override
  public List<String> connections() {
    return List.of("mailer");
  }

  @Override
  public List<Callable<?>> work(int life) {
    var work = new ArrayList<Callable<?>>();
    for (int i = 0; i < 3; i++) {
      String order = "O-%d-%d".formatted(life, i);
      paid.add(order);
      work.add(() -> buy(order, 100 + life));
    }
    String nothing = "O-%d-free".formatted(life);
    free.add(nothing);
    work.add(() -> buy(nothing, 0));
    return work;
  }

  private String buy(String order, int cents) throws InterruptedException {
    return door.startTwice(
        flow(), Map.of("order", order, "cents", cents, "email", "ann@example.org"));
  }

  @Override
  public @Nullable Answer visit(Visit visit) {
    if (!visit.system().equals("mailer")) {
      return null;
    }
    mails.add(visit.field("order"));
    return Visit.ok();
  }

  @Override
  public @Nullable String look(String effect, String key) {
    return switch (effect) {
      case "charge-order/receipt" ->
          mails.contains(key.substring("receipt/".length())) ? "mailed" : "";
      case "payment.charge" -> payments.look(key);
      default -> null;
    };
  }

  @Override
  public List<String> problems(List<JsonNode> runs) {
    var problems = new ArrayList<String>();
    if (runs.size() != paid.size() + free.size()) {
      problems.add("%d runs of %d orders".formatted(runs.size(), paid.size() + free.size()));
    }
    Blueprint.expect(problems, runs, run -> Blueprint.hasEnded(run, "succeeded"));
    for (String order : paid) {
      problems.addAll(payments.problems(order, 1));
      if (Collections.frequency(mails, order) != 1) {
        problems.add(order + " has so many mails: " + Collections.frequency(mails, order));
      }
    }
    for (String order : free) {
      problems.addAll(payments.problems(order, 0));
      if (mails.contains(order)) {
        problems.add(order + " has a mail");
      }
    }
    return problems;
  }
}
