package dev.hapax.flows;

import dev.hapax.Hapax;
import dev.hapax.Kv;
import dev.hapax.flow.NoAnswer;
import dev.hapax.flow.NotApplied;
import dev.hapax.flow.Rejected;
import dev.hapax.flows.model.ModelTokens;
import dev.hapax.flows.step.ModelSpend;
import dev.hapax.time.Clock;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The account of model calls, in reserved entries of the tenant's durable map. A reservation
 * changes all its entries in one commit, if none has changed meanwhile, so that calls of many runs
 * and nodes together keep to a budget. An attempt whose process died stays reserved, until the next
 * attempt of the same call notes it as unknown: its reserved amount counts as spent. If there is no
 * such attempt, the amount counts as spent after {@link #OPEN_DAYS}. Safe for many threads.
 */
final class SpendBook implements ModelSpend {
  private static final String PREFIX = "hapax/llm/";
  private static final String STATE = "state";
  private static final String OPEN = "open";
  private static final String AT_MOST = "atMost";
  private static final String COST = SpendEntry.COST;
  private static final String DAY = "day";

  /** From this day on a call that is still open counts as spent. */
  private static final String UNTIL = "until";

  /** The days after which nobody settles a call any more, beginning with its own. */
  private static final int OPEN_DAYS = 2;

  /** Other runs may be faster so often. */
  private static final int MOST_TRIES = 10_000;

  private final Clock clock;
  private final Supplier<@Nullable Long> perDay;
  private final Queue<Unnoted> unnoted = new ConcurrentLinkedQueue<>();
  private volatile @Nullable Hapax engine;

  /** An outcome that the store could not take. */
  private record Unnoted(Reservation reservation, Settled settled) {}

  /**
   * An account for one tenant.
   *
   * @param perDay what all calls of the tenant may cost on one day; asked each time
   */
  SpendBook(Clock clock, Supplier<@Nullable Long> perDay) {
    this.clock = clock;
    this.perDay = perDay;
  }

  @Override
  public @Nullable BigDecimal tenantPerDay() {
    Long most = perDay.get();
    return most == null ? null : BigDecimal.valueOf(most);
  }

  void in(Hapax hapax) {
    engine = hapax;
  }

  @Override
  public Reservation reserve(Wish wish) {
    Hapax hapax = engine;
    if (hapax == null) {
      return NONE.reserve(wish);
    }
    Kv map = hapax.kv();
    noteEarlier(map);
    for (int i = 0; i < MOST_TRIES; i++) {
      Instant now = clock.now();
      LocalDate today = LocalDate.ofInstant(now, ZoneOffset.UTC);
      String day = today.toString();
      String until = today.plusDays(OPEN_DAYS).toString();
      var page = new Page(map);
      Call call = page.call(wish);
      call.giveUpOpen(page);
      Map<Account, SpendEntry> accounts = page.accounts(wish, day);
      accounts.values().forEach(account -> account.spendOpenUntil(day));
      refuse(wish, accounts);
      accounts.values().forEach(account -> account.reserve(wish.atMost(), until));
      int attempt = call.begin(wish, day, until, now);
      if (page.write()) {
        return new Reservation(wish, day, attempt);
      }
    }
    throw new NotApplied("the account of model calls changes too often: nothing was sent");
  }

  private static void refuse(Wish wish, Map<Account, SpendEntry> accounts) {
    for (Budget budget : wish.budgets()) {
      SpendEntry account = accounts.get(budget.account());
      BigDecimal atMost = wish.atMost();
      if (account == null || atMost == null) {
        continue;
      }
      BigDecimal cost = account.amount(COST);
      BigDecimal reserved = account.amount(SpendEntry.RESERVED);
      if (cost.add(reserved).add(atMost).compareTo(budget.most()) > 0) {
        throw new Rejected(
            "budget-exceeded",
            "%s is %s: %s is spent, %s is reserved for calls under way, and this call could cost up to %s. Nothing was sent. Raise the budget or lower maxTokens, then retry the run; a budget of a day begins anew at 00:00 UTC."
                .formatted(
                    budget.name(),
                    budget.most().toPlainString(),
                    cost.toPlainString(),
                    reserved.toPlainString(),
                    atMost.toPlainString()));
      }
    }
  }

  @Override
  public List<Map<String, Object>> settle(Reservation reservation, Settled settled) {
    Hapax hapax = engine;
    if (hapax == null) {
      return List.of();
    }
    var outcome = new Unnoted(reservation, settled);
    List<Map<String, Object>> attempts = noted(hapax.kv(), outcome);
    if (attempts == null) {
      unnoted.add(outcome);
      return List.of();
    }
    return attempts;
  }

  /** The store may be back. As long as it is not, the amounts stay reserved. */
  private void noteEarlier(Kv map) {
    for (Unnoted one; (one = unnoted.poll()) != null; ) {
      if (noted(map, one) == null) {
        unnoted.add(one);
        return;
      }
    }
  }

  /** Returns all attempts of the call; null if the store cannot note this one now. */
  private static @Nullable List<Map<String, Object>> noted(Kv map, Unnoted outcome) {
    Reservation reservation = outcome.reservation();
    try {
      for (int i = 0; i < MOST_TRIES; i++) {
        var page = new Page(map);
        Call call = page.call(reservation.wish());
        call.settle(page, reservation.attempt(), outcome.settled());
        if (page.write()) {
          return call.shown();
        }
      }
    } catch (NotApplied e) {
      // an answer that is paid for must not be lost because of its price
    }
    return null;
  }

  @Override
  public long remember(String run, String place, long value) {
    Hapax hapax = engine;
    if (hapax == null) {
      return value;
    }
    String key = shortened(PREFIX + "period/" + run + "/" + place);
    for (int i = 0; i < MOST_TRIES; i++) {
      var page = new Page(hapax.kv());
      SpendEntry entry = page.entry(key);
      if (entry.members.get("period") instanceof Number known) {
        return known.longValue();
      }
      entry.members.put("period", value);
      if (page.write()) {
        return value;
      }
    }
    return value;
  }

  private static String shortened(String key) {
    return key.length() <= 300
        ? key
        : key.substring(0, 250)
            + "~"
            + java.util.HexFormat.of()
                .formatHex(dev.hapax.json.Digest.sha256(key))
                .substring(0, 32);
  }

  /** The entries that one change reads and writes. */
  private static final class Page {
    private final Kv map;
    private final Map<String, SpendEntry> entries = new TreeMap<>();

    Page(Kv map) {
      this.map = map;
    }

    SpendEntry entry(String key) {
      SpendEntry known = entries.get(key);
      if (known == null) {
        try {
          known = new SpendEntry(key, map.get(key));
        } catch (NoAnswer e) {
          throw new NotApplied("the account of model calls could not be read: nothing was sent", e);
        }
        entries.put(key, known);
      }
      return known;
    }

    Call call(Wish wish) {
      return new Call(
          entry(shortened(PREFIX + "calls/" + wish.run() + "/" + wish.question())), wish);
    }

    Map<Account, SpendEntry> accounts(Wish wish, String day) {
      var accounts = new EnumMap<Account, SpendEntry>(Account.class);
      accounts.put(Account.RUN, entry(PREFIX + "spend/run/" + wish.run()));
      accounts.put(Account.FLOW, entry(PREFIX + "spend/flow/" + wish.flow()));
      accounts.put(Account.FLOW_DAY, entry(PREFIX + "spend/day/" + day + "/flow/" + wish.flow()));
      accounts.put(
          Account.CONNECTION_DAY,
          entry(PREFIX + "spend/day/" + day + "/connection/" + wish.connection()));
      accounts.put(Account.TENANT_DAY, entry(PREFIX + "spend/day/" + day + "/tenant"));
      return accounts;
    }

    boolean write() {
      List<Kv.Replacement> all = new ArrayList<>();
      entries
          .values()
          .forEach(
              entry ->
                  all.add(
                      new Kv.Replacement(
                          entry.key,
                          entry.version,
                          entry.members,
                          entry.key.startsWith(PREFIX + "spend/flow/") ? null : KEPT)));
      try {
        return map.compareAndSetAll(all);
      } catch (NoAnswer e) {
        throw new NotApplied(
            "the account of model calls could not be written: nothing was sent", e);
      }
    }
  }

  /** All attempts of one call. */
  private static final class Call {
    private final SpendEntry entry;
    private final Wish wish;
    private final List<Map<String, Object>> attempts = new ArrayList<>();

    Call(SpendEntry entry, Wish wish) {
      this.entry = entry;
      this.wish = wish;
      if (entry.members.get("attempts") instanceof List<?> known) {
        for (Object one : known) {
          var attempt = new LinkedHashMap<String, Object>();
          if (one instanceof Map<?, ?> members) {
            members.forEach((name, value) -> attempt.put(String.valueOf(name), value));
          }
          attempts.add(attempt);
        }
      }
    }

    /** Earlier attempts are over, and nobody has told what they cost. */
    void giveUpOpen(Page page) {
      for (int i = 0; i < attempts.size(); i++) {
        settle(page, i + 1, new Settled("unknown", null, null));
      }
    }

    int begin(Wish wanted, String day, String until, Instant now) {
      var attempt = new LinkedHashMap<String, Object>();
      attempt.put("at", now.toString());
      attempt.put(DAY, day);
      attempt.put(UNTIL, until);
      attempt.put(STATE, OPEN);
      if (wanted.atMost() != null) {
        attempt.put(AT_MOST, wanted.atMost());
      }
      attempts.add(attempt);
      entry.members.put("step", wanted.step());
      entry.members.put("model", wanted.model());
      entry.members.put("attempts", attempts);
      return attempts.size();
    }

    void settle(Page page, int number, Settled settled) {
      if (number < 1 || number > attempts.size()) {
        return; // the account was deleted meanwhile
      }
      Map<String, Object> attempt = attempts.get(number - 1);
      if (!OPEN.equals(attempt.get(STATE))) {
        return; // another attempt has noted it before
      }
      BigDecimal atMost =
          attempt.get(AT_MOST) == null ? null : SpendEntry.decimal(attempt.get(AT_MOST));
      String until = attempt.get(UNTIL) instanceof String known ? known : null;
      BigDecimal cost = settled.cost() == null ? atMost : settled.cost();
      attempt.put(STATE, settled.outcome());
      ModelTokens tokens = settled.tokens();
      if (tokens != null) {
        attempt.put("inputTokens", tokens.input());
        attempt.put("cachedInputTokens", tokens.cachedInput());
        attempt.put("outputTokens", tokens.output());
      }
      if (cost != null) {
        attempt.put(COST, cost);
        attempt.put("isCostKnown", settled.cost() != null);
      }
      entry.members.put("attempts", attempts);
      String day = String.valueOf(attempt.get(DAY));
      for (SpendEntry account : page.accounts(wish, day).values()) {
        account.release(atMost, until);
        account.spend(cost, settled.cost() != null);
        account.count("calls", 1);
        if (tokens != null) {
          account.count("inputTokens", tokens.input());
          account.count("outputTokens", tokens.output());
        }
      }
    }

    /** The attempts without what only the account needs. */
    List<Map<String, Object>> shown() {
      List<Map<String, Object>> shown = new ArrayList<>();
      for (Map<String, Object> attempt : attempts) {
        var one = new LinkedHashMap<>(attempt);
        one.remove(DAY);
        one.remove(UNTIL);
        shown.add(one);
      }
      return shown;
    }
  }
}
