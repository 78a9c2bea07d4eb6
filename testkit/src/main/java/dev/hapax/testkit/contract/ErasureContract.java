package dev.hapax.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.flow.InboxEvent;
import dev.hapax.flow.InboxOutcome;
import dev.hapax.flow.JobItem;
import dev.hapax.flow.JobItemState;
import dev.hapax.flow.JobState;
import dev.hapax.flow.ObjectVersion;
import dev.hapax.flow.RunId;
import dev.hapax.flow.RunStatus;
import dev.hapax.flow.TenantContent;
import dev.hapax.run.JobRecord;
import dev.hapax.run.NewRun;
import dev.hapax.run.ScheduleRecord;
import dev.hapax.run.journal.ClaimAnswer.Granted;
import dev.hapax.run.journal.KvAction;
import dev.hapax.run.ledger.EffectReference;
import dev.hapax.run.value.KvRequest;
import dev.hapax.run.value.ResourcePart;
import dev.hapax.run.value.ResourceRef;
import dev.hapax.store.Change;
import dev.hapax.store.ErasablePage;
import dev.hapax.store.Group;
import dev.hapax.time.IdSource;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A tenant goes completely, in bounded parts, and no row of another tenant goes with it. */
@SuppressWarnings("MemberName") // the names of tests are sentences
public abstract class ErasureContract extends StoreContract {
  private static final String OTHER = "other";
  private static final int FEW = 2;

  @Test
  void a_tenant_is_erased_part_by_part_and_others_stay() {
    fill(TENANT);
    fill(OTHER);
    NewRun claiming = running("A-effects");
    done(create(claiming, "K-1"), "1");
    granted(create(claiming, "K-2"));
    expire();
    TenantContent others = store.tenants().content(OTHER);
    TenantContent full = store.tenants().content(TENANT);
    assertThat(full.runs()).isEqualTo(6);
    assertThat(full.expiredRuns()).isEqualTo(1);
    assertThat(full.effects()).isEqualTo(2);
    assertThat(full.openEffects()).isEqualTo(1);
    assertThat(full.expiredEffects()).isEqualTo(1);
    assertThat(full.events()).isEqualTo(3);
    assertThat(full.entries()).isEqualTo(3);
    assertThat(full.schedules()).isEqualTo(1);
    assertThat(full.resources()).isEqualTo(1);
    assertThat(full.jobs()).isEqualTo(4);
    assertThat(full.bytes()).isGreaterThan(others.bytes() / 2);

    int steps = 0;
    while (!store.tenants().content(TENANT).hasNothing()) {
      assertThat(++steps).isLessThan(50);
      Group group = erase(TENANT);
      land(group);
      land(group); // an unknown commit is submitted again
    }

    assertThat(steps).isGreaterThan(1);
    assertThat(store.tenants().content(OTHER)).isEqualTo(others);
    assertThat(store.holder(RunId.of(TENANT, FLOW, "A-0", null))).isNull();
    assertThat(store.journal(claiming.number())).isEmpty();
    // The keys are free: nothing remembers them.
    NewRun again = running("A-0");
    assertThat(stored(again).status()).isEqualTo(RunStatus.RUNNING);
    assertThat(claim(create(again, "K-1"))).isInstanceOf(Granted.class);
    assertThat(claim(create(again, "K-0"))).isInstanceOf(Granted.class);
  }

  @Test
  void rows_of_another_tenant_are_left_alone_though_they_are_named() {
    NewRun run = running("A-1");
    Granted charge = done(create(run, "K"), "1");

    land(
        always(
            new Change.EraseTenant(
                OTHER,
                new ErasablePage(
                    List.of(run.number()),
                    List.of(run.number()),
                    List.of(charge.effect()),
                    List.of(charge.effect())),
                10)));

    assertThat(stored(run).status()).isEqualTo(RunStatus.RUNNING);
    assertThat(store.journal(run.number())).hasSize(2);
    assertThat(storedEffect(charge.effect()).number()).isEqualTo(charge.effect());
  }

  @Test
  void runs_are_counted_from_a_number_on_without_children() {
    NewRun first = running("A-1");
    NewRun second = running("A-2");
    land(withoutEntries(insert(newRun("A-3").childOf(second.number(), 1), OWNER)));
    running("A-4");

    assertThat(store.tenants().runsSince(TENANT, first.number())).isEqualTo(3);
    assertThat(store.tenants().runsSince(TENANT, second.number())).isEqualTo(2);
    assertThat(store.tenants().runsSince(TENANT, IdSource.firstAt(now) + Long.MAX_VALUE / 2))
        .isZero();
    assertThat(store.tenants().runsSince(OTHER, 0)).isZero();
  }

  private Group erase(String tenant) {
    ErasablePage page = store.tenants().erasable(tenant, ErasablePage.After.BEGIN, FEW);
    assertThat(page.runs()).hasSizeLessThanOrEqualTo(FEW);
    return always(new Change.EraseTenant(tenant, page, FEW));
  }

  private void fill(String tenant) {
    for (int i = 0; i < 2; i++) {
      land(withoutEntries(insert(newRun(tenant, FLOW, "A-" + i, "{\"i\":1}"), OWNER)));
    }
    byte[] content = "a letter".getBytes(StandardCharsets.UTF_8);
    var ref = ResourceRef.to(content);
    land(
        always(
            new Change.StoreResource(
                ResourcePart.of(nextNumber(), tenant, ref, "text/plain", content, 0))));
    for (int i = 0; i < 3; i++) {
      land(
          always(
              new Change.Kv(
                  new KvRequest(
                      nextNumber(),
                      tenant,
                      "k" + i,
                      KvAction.PUT,
                      "\"" + ref + "\"",
                      0,
                      i == 0 ? later(Duration.ofSeconds(1)) : null))));
      NewRun run = newRun(tenant, FLOW, "E-" + i, "{\"i\":2}");
      land(
          always(
              new Change.Receive(event(tenant, "e" + i), run, false, InboxOutcome.INVALID, null)));
    }
    land(
        always(
            new Change.PutSchedule(
                new ScheduleRecord(tenant, "nightly", FLOW, now, null, false, null, 0), 0)));
    addJob(tenant);
  }

  private void addJob(String tenant) {
    long number = nextNumber();
    var job =
        new JobRecord(
            number,
            tenant,
            "j-1",
            "retry",
            JobState.PLANNED,
            "{}",
            Map.of(),
            0,
            0,
            0,
            100,
            "ann",
            null,
            now,
            null,
            null,
            0,
            true,
            null,
            0);
    List<JobItem> items = new ArrayList<>();
    for (int i = 1; i <= 3; i++) {
      items.add(new JobItem(i, "r-" + i, FLOW, "A", JobItemState.OPEN, null, null, null));
    }
    land(always(new Change.PutJob(job, 0), new Change.PutJobItems(number, items)));
  }

  /** One run and its effect have expired: their keys are remembered. */
  private void expire() {
    NewRun run = running("A-old");
    Granted charge = done(create(run, "K-0"), "7");
    land(next(run, new Change.End(RunStatus.SUCCEEDED, null, null)));
    now = later(Duration.ofDays(400));
    land(always(new Change.ExpireRuns(List.of(run.number()), later(Duration.ofDays(9)))));
    land(
        always(
            new Change.LeaveEffects(
                List.of(new EffectReference(run.number(), charge.effect(), null)),
                later(Duration.ofDays(9)))));
  }

  private InboxEvent event(String tenant, String id) {
    return new InboxEvent(
        nextNumber(),
        tenant,
        "shop",
        id,
        "object " + id,
        ObjectVersion.of(1L),
        "{}",
        FLOW,
        InboxOutcome.INVALID,
        null,
        null,
        now,
        0);
  }
}
