package dev.hapax.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.flow.KvEntry;
import dev.hapax.run.NewRun;
import dev.hapax.run.journal.Answer;
import dev.hapax.run.journal.Answer.Kv;
import dev.hapax.run.journal.KvAction;
import dev.hapax.run.value.KvRequest;
import dev.hapax.store.Batch;
import dev.hapax.store.Change;
import dev.hapax.store.Group;
import dev.hapax.store.GroupAnswer;
import dev.hapax.store.GroupAnswer.Landed;
import dev.hapax.store.GroupAnswer.Lost;
import dev.hapax.store.KvFilter;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The durable map, asked and answered inside the transaction. */
@SuppressWarnings("MemberName") // the names of tests are sentences
public abstract class KvContract extends StoreContract {

  @Test
  void what_is_put_is_there() {
    Kv put = ask(put("a", "1"));

    assertThat(put.written()).isTrue();
    assertThat(ask(get("a"))).isEqualTo(new Kv("1", put.version(), false));
    assertThat(entry("a").value()).isEqualTo("1");
    assertThat(entry("a").version()).isEqualTo(put.version());
  }

  @Test
  void what_was_never_put_is_absent() {
    assertThat(ask(get("a"))).isEqualTo(new Kv(null, KvEntry.ABSENT, false));
    assertThat(store.kv(TENANT, "a")).isNull();
  }

  @Test
  void each_write_has_a_larger_version() {
    long first = ask(put("a", "1")).version();
    long second = ask(put("a", "1")).version();
    long third = ask(set("a", second, "2")).version();

    assertThat(first).isPositive().isLessThan(second);
    assertThat(third).isGreaterThan(second);
  }

  @Test
  void put_if_absent_writes_once_and_then_returns_the_entry() {
    Kv first = ask(putIfAbsent("a", "1", null));
    Kv second = ask(putIfAbsent("a", "2", null));

    assertThat(first.written()).isTrue();
    assertThat(second).isEqualTo(new Kv("1", first.version(), false));
  }

  @Test
  void compare_and_set_writes_only_over_its_version() {
    long version = ask(put("a", "1")).version();

    Kv set = ask(set("a", version, "2"));
    Kv late = ask(set("a", version, "3"));

    assertThat(set.written()).isTrue();
    assertThat(late).isEqualTo(new Kv("2", set.version(), false));
  }

  @Test
  void compare_and_set_with_version_0_expects_no_entry() {
    Kv made = ask(set("a", KvEntry.ABSENT, "1"));

    assertThat(made.written()).isTrue();
    assertThat(ask(set("a", KvEntry.ABSENT, "2")).written()).isFalse();
  }

  @Test
  void a_transition_writes_only_over_one_of_its_values() {
    ask(put("a", "\"open\""));

    Kv paid = ask(transition("a", "\"paid\"", "\"open\"", "\"held\""));
    Kv again = ask(transition("a", "\"paid\"", "\"open\"", "\"held\""));

    assertThat(paid.written()).isTrue();
    assertThat(again).isEqualTo(new Kv("\"paid\"", paid.version(), false));
    assertThat(entry("a").value()).isEqualTo("\"paid\"");
  }

  @Test
  void a_transition_compares_values_and_not_their_texts() {
    ask(put("a", "{\"b\": 1.0, \"a\": [true]}"));

    assertThat(ask(transition("a", "2", "{\"a\":[true],\"b\":1}")).written()).isTrue();
    assertThat(ask(transition("a", "3", "2.00")).written()).isTrue();
    assertThat(ask(transition("a", "4", "\"3\"")).written()).isFalse();
  }

  @Test
  void a_transition_from_null_expects_no_entry_or_null() {
    assertThat(ask(transition("a", "\"open\"", "\"held\"")).written()).isFalse();
    assertThat(store.kv(TENANT, "a")).isNull();
    assertThat(ask(transition("a", "\"open\"", "null")).written()).isTrue();
    assertThat(ask(transition("a", "\"open\"", "null")).written()).isFalse();
    ask(put("b", "null"));
    assertThat(ask(transition("b", "\"open\"", "null")).written()).isTrue();
  }

  @Test
  void an_addition_returns_the_exact_sum() {
    Kv first = ask(add("a", "1"));
    Kv second = ask(add("a", "0.1"));
    Kv third = ask(add("a", "12345678901234567890"));

    assertThat(first).isEqualTo(new Kv("1", first.version(), true));
    assertThat(second.value()).isEqualTo("1.1");
    assertThat(third.value()).isEqualTo("12345678901234567891.1");
    assertThat(entry("a").value()).isEqualTo("12345678901234567891.1");
    assertThat(entry("a").version()).isEqualTo(third.version());
  }

  @Test
  void an_addition_to_another_value_than_a_number_writes_nothing() {
    long version = ask(put("a", "\"1\"")).version();

    assertThat(ask(add("a", "1"))).isEqualTo(new Kv("\"1\"", version, false));

    version = ask(put("a", "1e999999999")).version();

    assertThat(ask(add("a", "1"))).isEqualTo(new Kv("1e999999999", version, false));
  }

  @Test
  void a_transition_and_an_addition_keep_the_expiry_of_the_entry() {
    Instant expiry = now.plusSeconds(60);
    ask(put("a", "1", expiry));

    ask(add("a", "1"));
    ask(transition("a", "5", "2"));

    assertThat(entry("a").value()).isEqualTo("5");
    assertThat(entry("a").expiresAt()).isEqualTo(expiry);
  }

  @Test
  void a_version_does_not_come_again_after_the_entry_was_deleted_and_made_anew() {
    long old = ask(put("a", "1")).version();
    ask(delete("a"));
    Kv anew = ask(put("a", "1"));

    assertThat(anew.version()).isGreaterThan(old);
    assertThat(ask(set("a", old, "2")).written()).isFalse();
  }

  @Test
  void a_version_does_not_come_again_after_the_entry_expired_and_was_collected() {
    long old = ask(put("a", "1", later(Duration.ofSeconds(1)))).version();
    now = later(Duration.ofSeconds(2));
    land(always(new Change.CollectKv(10)));
    Kv anew = ask(put("a", "1"));

    assertThat(anew.version()).isGreaterThan(old);
    assertThat(ask(set("a", old, "2")).written()).isFalse();
  }

  @Test
  void deleting_says_whether_there_was_something() {
    ask(put("a", "1"));

    assertThat(ask(delete("a"))).isEqualTo(new Kv(null, KvEntry.ABSENT, true));
    assertThat(ask(delete("a"))).isEqualTo(new Kv(null, KvEntry.ABSENT, false));
    assertThat(store.kv(TENANT, "a")).isNull();
  }

  @Test
  void what_has_expired_is_absent_before_it_is_collected() {
    long version = ask(put("a", "1", later(Duration.ofSeconds(1)))).version();
    now = later(Duration.ofSeconds(1));

    assertThat(ask(get("a"))).isEqualTo(new Kv(null, KvEntry.ABSENT, false));
    assertThat(ask(delete("a")).written()).isFalse();
    assertThat(ask(set("a", version, "2")).written()).isFalse();
    assertThat(store.kv(filter("", null, 10))).isEmpty();
    assertThat(entry("a").expiresAt()).isEqualTo(now); // it is still there
    assertThat(ask(putIfAbsent("a", "2", null)).written()).isTrue();
    assertThat(entry("a").expiresAt()).isNull();
  }

  @Test
  void compare_and_set_leaves_the_expiry_unless_it_brings_one() {
    Instant expiry = later(Duration.ofMinutes(1));
    long version = ask(put("a", "1", expiry)).version();
    version = ask(set("a", version, "2")).version();
    assertThat(entry("a").expiresAt()).isEqualTo(expiry);

    Instant renewed = later(Duration.ofMinutes(9));
    ask(request(KvAction.COMPARE_AND_SET, TENANT, "a", "3", version, renewed));

    assertThat(entry("a").expiresAt()).isEqualTo(renewed);
  }

  @Test
  void collecting_deletes_at_most_its_limit_and_nothing_that_lives() {
    IntStream.range(0, 5).forEach(i -> ask(put("k" + i, "1", later(Duration.ofSeconds(i + 1L)))));
    ask(put("alive", "1", later(Duration.ofHours(1))));
    ask(put("for ever", "1"));
    now = later(Duration.ofSeconds(4));

    land(always(new Change.CollectKv(3)));

    assertThat(store.kv(TENANT, "k0")).isNull();
    assertThat(store.kv(TENANT, "k2")).isNull();
    assertThat(store.kv(TENANT, "k3")).isNotNull();
    assertThat(store.kv(TENANT, "k4")).isNotNull();
    land(always(new Change.CollectKv(3)));
    assertThat(store.kv(TENANT, "k3")).isNull();
    assertThat(store.kv(filter("", null, 10))).extracting(KvEntry::key).contains("alive", "k4");
  }

  @Test
  void a_write_collects_what_has_expired_by_the_way() {
    ask(put("a", "1", later(Duration.ofSeconds(1))));
    now = later(Duration.ofSeconds(2));

    ask(put("b", "1"));

    assertThat(store.kv(TENANT, "a")).isNull();
  }

  @Test
  void tenants_do_not_see_each_other() {
    ask(put("a", "1"));

    assertThat(ask(request(KvAction.GET, "globex", "a", null, 0, null)).version()).isZero();
    assertThat(ask(request(KvAction.DELETE, "globex", "a", null, 0, null)).written()).isFalse();
    assertThat(store.kv(new KvFilter("globex", "", null, now, 10))).isEmpty();
  }

  @Test
  void entries_are_listed_by_prefix_in_the_order_of_their_keys() {
    for (String key : List.of("b/2", "a", "b/1", "b", "c", "b/\uFFFF", "b/\uD83D\uDE00")) {
      ask(put(key, "1"));
    }

    assertThat(store.kv(filter("b/", null, 10)))
        .extracting(KvEntry::key)
        .containsExactly("b/1", "b/2", "b/\uFFFF", "b/\uD83D\uDE00");
    assertThat(store.kv(filter("b/", "b/1", 2)))
        .extracting(KvEntry::key)
        .containsExactly("b/2", "b/\uFFFF");
    assertThat(store.kv(filter("", null, 2))).extracting(KvEntry::key).containsExactly("a", "b");
    assertThat(store.kv(filter("b/\uD83D\uDE00", null, 9))).hasSize(1);
    assertThat(store.kv(filter("", "c", 10))).isEmpty();
  }

  @Test
  void a_run_hears_its_answer_again_though_the_entry_has_changed() {
    NewRun run = running("A-1");
    Group group = next(run, new Change.Kv(putIfAbsent("a", "1", null)));
    Landed first = land(group);
    ask(put("a", "2"));

    Landed again = land(group);

    assertThat(again.answers()).isEqualTo(first.answers());
    assertThat(store.journal(run.number()).getFirst().readAnswers()).isEqualTo(first.answers());
    assertThat(entry("a").value()).isEqualTo("2");
  }

  @Test
  void a_group_that_is_lost_writes_nothing() {
    NewRun run = running("A-1");

    assertThat(commit(owned(run, 7, new Change.Kv(put("a", "1"))))).isEqualTo(new Lost());

    assertThat(store.kv(TENANT, "a")).isNull();
  }

  @Test
  void a_batch_beside_the_runs_that_is_submitted_again_writes_once_and_answers_the_same() {
    long version = ask(put("a", "0")).version();
    // The second expects the result of the first: only a store that remembers each can answer
    // again.
    Group one = always(new Change.Kv(set("a", version, "1")));
    Group two = always(new Change.Kv(set("a", version + 1, "2")));
    Group three = always(new Change.Kv(set("a", version, "3")));
    var batch = new Batch(List.of(one, two, three));
    List<GroupAnswer> first = store.commit(batch);

    List<GroupAnswer> again = store.commit(batch);

    assertThat(again).isEqualTo(first);
    assertThat(entry("a").value()).isEqualTo("2");
    assertThat(entry("a").version()).isEqualTo(version + 2);
  }

  @Test
  void required_writes_land_together_or_not_at_all() {
    long version = ask(put("b", "0")).version();

    GroupAnswer lost =
        commit(
            always(
                new Change.Kv(set("a", KvEntry.ABSENT, "1"), true),
                new Change.Kv(set("b", version + 1, "1"), true),
                new Change.Kv(set("c", KvEntry.ABSENT, "1"), true)));

    assertThat(lost).isEqualTo(new Lost());
    assertThat(store.kv(TENANT, "a")).isNull();
    assertThat(entry("b").value()).isEqualTo("0");
    assertThat(store.kv(TENANT, "c")).isNull();

    Group all =
        always(
            new Change.Kv(set("a", KvEntry.ABSENT, "1"), true),
            new Change.Kv(set("b", version, "1"), true));
    Landed landed = land(all);

    assertThat(landed.answers()).allMatch(answer -> ((Kv) answer).written());
    assertThat(entry("a").value()).isEqualTo("1");
    assertThat(entry("b").value()).isEqualTo("1");
    assertThat(land(all).answers()).as("submitted again").isEqualTo(landed.answers());
  }

  @Test
  void a_group_that_is_lost_by_a_required_write_costs_no_other_group() {
    Group lost =
        always(
            new Change.Kv(set("a", KvEntry.ABSENT, "1"), true),
            new Change.Kv(set("b", 7, "1"), true));
    Group other = always(new Change.Kv(put("c", "1")));

    List<GroupAnswer> answers = store.commit(new Batch(List.of(lost, other)));

    assertThat(answers.getFirst()).isEqualTo(new Lost());
    assertThat(answers.getLast()).isInstanceOf(Landed.class);
    assertThat(store.kv(TENANT, "a")).isNull();
    assertThat(entry("c").value()).isEqualTo("1");
  }

  private Kv ask(KvRequest request) {
    Answer answer = land(always(new Change.Kv(request))).answers().getFirst();
    return (Kv) answer;
  }

  private KvRequest get(String key) {
    return request(KvAction.GET, TENANT, key, null, 0, null);
  }

  private KvRequest put(String key, String value) {
    return put(key, value, null);
  }

  private KvRequest put(String key, String value, @Nullable Instant expiresAt) {
    return request(KvAction.PUT, TENANT, key, value, 0, expiresAt);
  }

  private KvRequest putIfAbsent(String key, String value, @Nullable Instant expiresAt) {
    return request(KvAction.PUT_IF_ABSENT, TENANT, key, value, 0, expiresAt);
  }

  private KvRequest set(String key, long version, String value) {
    return request(KvAction.COMPARE_AND_SET, TENANT, key, value, version, null);
  }

  private KvRequest transition(String key, String to, String... from) {
    return new KvRequest(
        nextNumber(),
        TENANT,
        key,
        KvAction.TRANSITION,
        to,
        0,
        null,
        KvRequest.from(key, List.of(from)));
  }

  private KvRequest add(String key, String by) {
    return request(KvAction.ADD, TENANT, key, by, 0, null);
  }

  private KvRequest delete(String key) {
    return request(KvAction.DELETE, TENANT, key, null, 0, null);
  }

  private KvRequest request(
      KvAction action,
      String tenant,
      String key,
      @Nullable String value,
      long version,
      @Nullable Instant expiresAt) {
    return new KvRequest(nextNumber(), tenant, key, action, value, version, expiresAt);
  }

  private KvEntry entry(String key) {
    return Objects.requireNonNull(store.kv(TENANT, key), "there is no entry " + key);
  }

  private KvFilter filter(String prefix, @Nullable String after, int limit) {
    return new KvFilter(TENANT, prefix, after, now, limit);
  }
}
