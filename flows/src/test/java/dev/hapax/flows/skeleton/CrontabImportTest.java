package dev.hapax.flows.skeleton;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.hapax.flows.check.Check;
import dev.hapax.flows.file.FlowFile;
import dev.hapax.flows.format.FlowFormatter;
import dev.hapax.flows.trigger.ScheduleTrigger;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** A crontab becomes flows that check accepts, with its times, and without its secrets. */
class CrontabImportTest {
  @Test
  void each_line_becomes_a_flow_with_its_schedule() {
    ImportedFlows imported =
        of(
            """
            MAILTO=ops@example.com
            CRON_TZ="Europe/Berlin"

            # Backs everything up.
            30 2 * * * /usr/local/bin/backup.sh --full
            @daily cd /srv && ./report.py >/dev/null 2>&1
            */15 8-18 * * mon-fri /usr/bin/flock -n /tmp/sync.lock /opt/sync run
            @reboot /opt/agent
            0 0 13 * 5 curl -fsS https://example.com/ping >/dev/null
            """);

    assertThat(imported.flows())
        .extracting(ImportedFlows.Skeleton::name)
        .containsExactly("backup", "srv", "sync", "agent", "example-com");
    assertThat(schedule(imported, 0).cron().text()).isEqualTo("30 2 * * *");
    assertThat(schedule(imported, 0).timezone()).isEqualTo(ZoneId.of("Europe/Berlin"));
    assertThat(schedule(imported, 1).cron().text()).isEqualTo("0 0 * * *");
    assertThat(schedule(imported, 2).overlap()).hasToString("SKIP");
    assertThat(flow(imported, 3).triggers()).isEmpty();
    assertThat(imported.flows().get(4).text()).contains("url: \"https://example.com/ping\"");
    assertThat(codes(imported, "backup"))
        .contains("command", "mail", "environment", "missed-times", "clock-change")
        .doesNotContain("timezone", "credential");
    assertThat(codes(imported, "agent")).contains("schedule");
    assertThat(imported.flows().getFirst().text()).contains("# Backs everything up.");
  }

  /** As cron does: on either of them. */
  @Test
  void a_day_of_the_month_and_a_weekday_mean_either() {
    ScheduleTrigger schedule = schedule(of("CRON_TZ=UTC\n0 0 13 * 5 job\n"), 0);

    assertThat(schedule.cron().next(Instant.parse("2026-11-17T00:00:00Z"), ZoneId.of("UTC")))
        .contains(Instant.parse("2026-11-20T00:00:00Z"));
    assertThat(schedule.cron().next(Instant.parse("2027-01-12T00:00:00Z"), ZoneId.of("UTC")))
        .contains(Instant.parse("2027-01-13T00:00:00Z"));
  }

  @Test
  void the_user_and_the_standard_input_are_taken_from_the_command() {
    CrontabEntry entry =
        CrontabEntry.read("5 4 * * sun root mail -s 50\\% ann%Hello%Ann\n", true).getFirst();

    assertThat(entry.user()).isEqualTo("root");
    assertThat(entry.command()).isEqualTo("mail -s 50% ann");
    assertThat(entry.input()).isEqualTo("Hello\nAnn");
  }

  @Test
  void no_credential_is_copied() {
    ImportedFlows imported =
        of(
            """
            DB_PASSWORD=hunter2
            0 1 * * * mysqldump -u root -phunter2 shop | gzip > /b.gz
            0 2 * * * PGPASSWORD=hunter2 pg_dump shop
            0 3 * * * curl -u ann:hunter2 https://example.com/x
            0 4 * * * curl "https://ann:hunter2@example.com/x"
            0 5 * * * curl https://example.com/x?token=hunter2
            0 6 * * * curl -H "Authorization: Bearer hunter2" https://example.com/x
            0 7 * * * backup --api-key hunter2 --secret='hunter2'
            """);

    assertThat(imported.flows()).hasSize(7).noneMatch(flow -> flow.text().contains("hunter2"));
    assertThat(imported.decisions()).noneMatch(one -> one.toString().contains("hunter2"));
    assertThat(imported.decisions()).filteredOn(one -> one.code().equals("credential")).hasSize(7);
  }

  @Test
  void hostile_names_and_texts_become_valid_flows() {
    ImportedFlows imported =
        of(
            """
            * * * * * ../../etc/passwd
            * * * * * /tmp/ä\u202Eö.sh "${input.x}" # - : {
            * * * * * /bin/true; true
            * * * * * ''
            * * * * * /bin/true; true
            99 99 * * * job
            1~5 * * * * job
            @every 5m
            @never job
            """);

    assertThat(imported.flows())
        .extracting(ImportedFlows.Skeleton::name)
        .allMatch(name -> name.matches("[a-z0-9][a-z0-9-]*"))
        .doesNotHaveDuplicates();
  }

  @Test
  void what_is_no_crontab_is_refused_with_its_line() {
    assertThatThrownBy(() -> of("hello\n")).hasMessageContaining("line 1: expected five fields");
    assertThatThrownBy(() -> of("# nothing\n\nA=1\n")).hasMessageContaining("found none");
    assertThatThrownBy(() -> of("* * * * * x\n".repeat(10_001))).hasMessageContaining("at most");
    assertThatThrownBy(() -> CrontabImport.of("c", "* * * * * root\n", true))
        .hasMessageContaining("a user and a command");
  }

  private static ImportedFlows of(String text) {
    ImportedFlows imported = CrontabImport.of("crontab", text, false);
    imported.flows().forEach(CrontabImportTest::demandGood);
    return imported;
  }

  /** No errors, and the layout of the formatter. */
  static void demandGood(ImportedFlows.Skeleton flow) {
    Check.Result result = Check.check(flow.name() + ".yaml", flow.text());
    assertThat(result.hasErrors()).as(result.text() + "\n" + flow.text()).isFalse();
    FlowFormatter.Result formatted = FlowFormatter.format("f.yaml", flow.text());
    assertThat(formatted.problems()).as(flow.text()).isEmpty();
    assertThat(formatted.text()).isEqualTo(flow.text());
  }

  private static FlowFile flow(ImportedFlows imported, int index) {
    return Objects.requireNonNull(Check.check("f.yaml", imported.flows().get(index).text()).file());
  }

  private static ScheduleTrigger schedule(ImportedFlows imported, int index) {
    return (ScheduleTrigger) flow(imported, index).triggers().getFirst();
  }

  private static List<String> codes(ImportedFlows imported, String flow) {
    return imported.decisions().stream()
        .filter(decision -> decision.flow().equals(flow))
        .map(ImportDecision::code)
        .toList();
  }
}
