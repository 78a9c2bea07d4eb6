package dev.hapax.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.flow.Step;
import dev.hapax.run.NewRun;
import dev.hapax.run.journal.JournalRow;
import dev.hapax.run.journal.KvAction;
import dev.hapax.run.journal.StepEntry;
import dev.hapax.run.value.KvRequest;
import dev.hapax.run.value.ResourcePart;
import dev.hapax.run.value.ResourceRecord;
import dev.hapax.run.value.ResourceRef;
import dev.hapax.store.Change;
import dev.hapax.store.Group;
import dev.hapax.store.Head;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Large values: stored once, kept as long as something refers to them. */
@SuppressWarnings("MemberName") // the names of tests are sentences
public abstract class ResourceContract extends StoreContract {
  private static final byte[] SMALL = "a letter".getBytes(StandardCharsets.UTF_8);
  private static final Duration A_DAY = ResourcePart.GRACE;

  @Test
  void what_is_put_is_there() {
    ResourceRef ref = put(SMALL);

    ResourceRecord row = row(ref);
    assertThat(row.contentType()).isEqualTo("text/plain");
    assertThat(row.size()).isEqualTo(SMALL.length);
    assertThat(content(ref)).isEqualTo(SMALL);
    assertThat(store.resource(TENANT, ResourceRef.to(new byte[] {1}))).isNull();
    assertThat(store.content(1)).isNull();
  }

  @Test
  void nothing_at_all_can_be_put() {
    assertThat(content(put(new byte[0]))).isEmpty();
  }

  @Test
  void the_same_content_is_stored_once() {
    ResourceRef ref = put(SMALL);
    long number = row(ref).number();

    assertThat(put(SMALL)).isEqualTo(ref);
    assertThat(row(ref).number()).isEqualTo(number);
  }

  @Test
  void a_value_in_parts_is_there_when_the_last_one_is() {
    byte[] large = bytes(2 * ResourcePart.LARGEST + 5);
    ResourceRef ref = ResourceRef.to(large);
    for (int index : new int[] {2, 0}) {
      land(always(part(large, index)));
      assertThat(store.resource(TENANT, ref)).isNull();
    }

    land(always(part(large, 1)));

    assertThat(content(ref)).isEqualTo(large);
  }

  @Test
  void a_batch_that_is_submitted_again_stores_once() {
    NewRun run = running("A-1");
    Group group = referring(run, ResourceRef.to(SMALL), part(SMALL, 0));
    land(group);
    land(group);
    Group beside = always(part(SMALL, 0));
    land(beside);
    land(beside);

    assertThat(content(ResourceRef.to(SMALL))).isEqualTo(SMALL);
    drop(run.number());
    pass(A_DAY);
    assertThat(collected(10, ResourceRef.to(SMALL))).isTrue();
  }

  @Test
  void a_group_that_is_lost_stores_nothing() {
    commit(owned(running("A-1"), 7, part(SMALL, 0)));

    assertThat(store.resource(TENANT, ResourceRef.to(SMALL))).isNull();
  }

  @Test
  void tenants_do_not_see_each_other() {
    ResourceRef ref = put(SMALL);

    assertThat(store.resource("globex", ref)).isNull();
    NewRun foreign = newRun("globex", FLOW, "A-1", "\"" + ref + "\"");
    land(withoutEntries(insert(foreign, OWNER)));
    pass(A_DAY);
    assertThat(collected(10, ref)).isTrue();
  }

  @Test
  void what_nothing_refers_to_stays_for_a_day_after_its_last_put() {
    ResourceRef ref = put(SMALL);
    pass(Duration.ofHours(23));
    put(SMALL);
    pass(Duration.ofHours(23));

    assertThat(collected(10, ref)).isFalse();
    pass(Duration.ofHours(1));
    assertThat(collected(10, ref)).isTrue();
    assertThat(content(put(SMALL))).isEqualTo(SMALL);
  }

  @Test
  void a_run_keeps_what_its_input_names() {
    ResourceRef ref = put(SMALL);
    NewRun run = newRun(TENANT, FLOW, "A-1", "{\"file\":\"" + ref + "\"}");
    land(withoutEntries(insert(run, OWNER)));

    staysUntilDropped(ref, run.number());
  }

  @Test
  void a_run_that_another_one_starts_keeps_what_its_input_names() {
    ResourceRef ref = put(SMALL);
    NewRun child = newRun(TENANT, FLOW, "A-1/child", "{\"file\":\"" + ref + "\"}");
    land(next(running("A-1"), new Change.Spawn(child)));

    staysUntilDropped(ref, child.number());
  }

  @Test
  void a_run_keeps_what_its_journal_names() {
    NewRun run = running("A-1");
    ResourceRef ref = ResourceRef.to(SMALL);
    land(referring(run, ref, part(SMALL, 0)));

    staysUntilDropped(ref, run.number());
  }

  @Test
  void an_effect_keeps_its_request_and_result() {
    ResourceRef request = put(SMALL);
    ResourceRef result = put(new byte[] {1, 2});
    NewRun run = running("A-1");
    var effect = done(create(run, "K").content("\"" + request + "\""), result.toString());
    drop(run.number());

    pass(A_DAY);
    assertThat(collected(10, request)).isFalse();
    staysUntilDropped(result, effect.effect());
    assertThat(collected(10, request)).isTrue();
  }

  @Test
  void a_run_that_reuses_an_effect_keeps_its_result() {
    ResourceRef result = put(SMALL);
    NewRun first = running("A-1");
    var effect = done(create(first, "K"), result.toString());
    NewRun second = running("A-2");
    claim(create(second, "K"));
    drop(first.number());
    drop(effect.effect());

    staysUntilDropped(result, second.number());
  }

  @Test
  void an_entry_of_the_durable_map_keeps_its_value_until_it_changes() {
    ResourceRef ref = put(SMALL);
    kv(KvAction.PUT, ref.toString(), null);
    pass(A_DAY);
    assertThat(collected(10, ref)).isFalse();

    kv(KvAction.PUT, "1", null);

    assertThat(collected(10, ref)).isTrue();
  }

  @Test
  void an_entry_of_the_durable_map_keeps_its_value_until_it_is_deleted_or_collected() {
    ResourceRef ref = put(SMALL);
    kv(KvAction.PUT, ref.toString(), null);
    kv(KvAction.DELETE, null, null);
    kv(KvAction.PUT, ref.toString(), Duration.ofHours(1));
    pass(A_DAY);
    assertThat(collected(10, ref)).isFalse();

    land(always(new Change.CollectKv(10)));

    assertThat(collected(10, ref)).isTrue();
  }

  @Test
  void a_run_that_got_a_value_of_the_durable_map_keeps_it() {
    ResourceRef ref = put(SMALL);
    kv(KvAction.PUT, ref.toString(), null);
    NewRun run = running("A-1");
    land(next(run, request(KvAction.GET, null, null)));
    kv(KvAction.DELETE, null, null);

    staysUntilDropped(ref, run.number());
  }

  @Test
  void what_two_refer_to_stays_until_both_are_gone() {
    ResourceRef ref = put(SMALL);
    NewRun first = running("A-1");
    NewRun second = running("A-2");
    land(referring(first, ref));
    land(referring(second, ref));
    drop(first.number());

    staysUntilDropped(ref, second.number());
  }

  @Test
  void what_is_put_again_before_it_is_collected_stays_though_its_last_reference_goes() {
    NewRun run = running("A-1");
    ResourceRef ref = put(SMALL);
    land(referring(run, ref));
    pass(A_DAY);
    put(SMALL);
    drop(run.number());

    assertThat(collected(10, ref)).isFalse();
    pass(A_DAY);
    assertThat(collected(10, ref)).isTrue();
  }

  @Test
  void in_one_batch_a_put_and_a_collection_lose_nothing_whichever_comes_first() {
    ResourceRef ref = put(SMALL);
    pass(A_DAY);
    commit(always(part(SMALL, 0)), always(new Change.CollectResources(10)));
    assertThat(content(ref)).isEqualTo(SMALL);

    pass(A_DAY);
    commit(always(new Change.CollectResources(10)), always(part(SMALL, 0)));
    assertThat(content(ref)).isEqualTo(SMALL);
  }

  @Test
  void a_large_value_goes_part_by_part_and_can_be_put_again_meanwhile() {
    byte[] large = bytes(3 * ResourcePart.LARGEST);
    ResourceRef ref = putInParts(large);
    pass(A_DAY);

    assertThat(collected(2, ref)).isTrue(); // a part is left, but it is no longer whole
    assertThat(putInParts(large)).isEqualTo(ref);
    assertThat(content(ref)).isEqualTo(large);

    pass(A_DAY);
    assertThat(collected(3, ref)).isTrue();
  }

  @Test
  void parts_that_never_became_a_whole_are_collected() {
    byte[] large = bytes(2 * ResourcePart.LARGEST);
    land(always(part(large, 0)));
    pass(A_DAY);
    land(always(new Change.CollectResources(10)));

    land(always(part(large, 1)));

    assertThat(store.resource(TENANT, ResourceRef.to(large))).isNull();
  }

  @Test
  void collecting_deletes_at_most_its_limit_and_the_oldest_first() {
    ResourceRef first = put(new byte[] {1});
    pass(Duration.ofSeconds(1));
    ResourceRef second = put(new byte[] {2});
    ResourceRef third = put(new byte[] {3});
    pass(A_DAY);

    assertThat(collected(1, first)).isTrue();
    assertThat(store.resource(TENANT, second)).isNotNull();
    assertThat(collected(1, second)).isTrue();
    assertThat(collected(1, third)).isTrue();
  }

  private void staysUntilDropped(ResourceRef ref, long subject) {
    pass(A_DAY);
    assertThat(collected(10, ref)).isFalse();
    drop(subject);
    assertThat(collected(10, ref)).isTrue();
  }

  private boolean collected(int most, ResourceRef ref) {
    land(always(new Change.CollectResources(most)));
    return store.resource(TENANT, ref) == null;
  }

  private void drop(long subject) {
    land(always(new Change.DropReferences(subject)));
  }

  private void pass(Duration time) {
    now = later(time);
  }

  private ResourceRef put(byte[] content) {
    land(always(part(content, 0)));
    return ResourceRef.to(content);
  }

  private ResourceRef putInParts(byte[] content) {
    for (int index = 0; index < ResourcePart.count(content.length); index++) {
      land(always(part(content, index)));
    }
    return ResourceRef.to(content);
  }

  private Change part(byte[] content, int index) {
    return new Change.StoreResource(
        ResourcePart.of(
            nextNumber(), TENANT, ResourceRef.to(content), "text/plain", content, index));
  }

  /** Returns the run's next group, with a journal entry that names the value. */
  private Group referring(NewRun run, ResourceRef ref, Change... changes) {
    long seq = store.journal(run.number()).size();
    String entries =
        JournalRow.write(List.of(new StepEntry.StepDone(new Step("make", null), ref.toString())));
    return group(new Head.Owned(run.number(), OWNER, seq), entries, changes);
  }

  private void kv(KvAction action, @Nullable String value, @Nullable Duration ttl) {
    land(always(request(action, value, ttl)));
  }

  private Change request(KvAction action, @Nullable String value, @Nullable Duration ttl) {
    return new Change.Kv(
        new KvRequest(
            nextNumber(), TENANT, "k", action, value, 0, ttl == null ? null : later(ttl)));
  }

  private ResourceRecord row(ResourceRef ref) {
    return Objects.requireNonNull(store.resource(TENANT, ref), () -> ref + " is not there");
  }

  private byte[] content(ResourceRef ref) {
    return Objects.requireNonNull(store.content(row(ref).number()));
  }

  private static byte[] bytes(int size) {
    byte[] bytes = new byte[size];
    new Random(size).nextBytes(bytes);
    return bytes;
  }
}
