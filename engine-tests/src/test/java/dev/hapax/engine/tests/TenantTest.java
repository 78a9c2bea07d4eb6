package dev.hapax.engine.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.hapax.Hapax;
import dev.hapax.flow.Flow;
import dev.hapax.flow.Message;
import dev.hapax.flow.NotFound;
import dev.hapax.flow.Run;
import dev.hapax.flow.RunStatus;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** One engine serves several tenants, and none of them meets another's code or data. */
@SuppressWarnings("MemberName") // the names of tests are sentences
class TenantTest extends EngineTest {
  private static Flow<String, String> saying(String word, int release) {
    return Flow.of("say", String.class, String.class)
        .release(release)
        .body((_, input) -> word + " " + input);
  }

  @Test
  void each_tenant_runs_its_own_code_under_the_same_name_and_key() {
    Hapax acme = hapax.tenant("acme");
    Hapax umbrella = hapax.tenant("umbrella");
    Flow<String, String> hello = saying("hello", 1);
    Flow<String, String> bye = saying("bye", 1);
    acme.register(hello);
    umbrella.register(bye);

    String first = acme.start(hello, "x", "key").await();
    String second = umbrella.start(bye, "x", "key").await();

    assertThat(List.of(first, second)).containsExactly("hello x", "bye x");
    assertThat(acme.runs(acme.runs())).extracting(Run::tenant).containsExactly("acme");
    assertThatThrownBy(() -> acme.run(umbrella.id("say", "key"))).isInstanceOf(NotFound.class);
    assertThatThrownBy(() -> acme.start(bye, "x")).hasMessageContaining("not registered");
    assertThat(hapax.tenant("acme")).isSameAs(acme);
  }

  @Test
  void what_the_opener_registers_serves_every_tenant_that_has_none() {
    Flow<String, String> hello = register(saying("hello", 1));
    Hapax acme = hapax.tenant("acme");

    assertThat(acme.start(hello, "x").await()).isEqualTo("hello x");
  }

  @Test
  void maps_and_messages_are_apart_too() {
    List<String> delivered = new CopyOnWriteArrayList<>();
    Hapax acme = hapax.tenant("acme");
    Hapax umbrella = hapax.tenant("umbrella");
    acme.outbox().courier("shop", message -> delivered.add("acme " + message.type()));
    umbrella.outbox().courier("shop", message -> delivered.add("umbrella " + message.type()));

    acme.kv().put("a", 1);
    acme.outbox().publish("1", Message.to("shop").type("paid").data(1));
    umbrella.outbox().publish("1", Message.to("shop").type("paid").data(1));

    eventually(() -> delivered.size() == 2);
    assertThat(delivered).containsExactlyInAnyOrder("acme paid", "umbrella paid");
    assertThat(umbrella.kv().get("a").json()).isNull();
  }

  @Test
  void a_run_whose_code_is_not_registered_gets_it_from_the_source() {
    Flow<String, String> slow =
        Flow.of("slow", String.class, String.class)
            .release(7)
            .body(
                (run, input) -> {
                  run.sleep("nap", Duration.ofHours(1));
                  return input;
                });
    hapax.tenant("acme").register(slow);
    String id = hapax.tenant("acme").start(slow, "x", "key").id();
    List<String> asked = new CopyOnWriteArrayList<>();

    crash();
    time.move(Duration.ofHours(2));
    moveSteps(5, Duration.ofSeconds(1));
    assertThat(hapax.tenant("acme").run(id).status()).isEqualTo(RunStatus.WAITING);
    hapax.codeFrom(
        (tenant, flow, release) -> {
          asked.add("%s/%s/%d".formatted(tenant, flow, release));
          return slow;
        });

    eventually(() -> hapax.tenant("acme").run(id).status() == RunStatus.SUCCEEDED);
    assertThat(asked).containsExactly("acme/slow/7");
  }

  @Test
  void closing_a_tenants_part_closes_nothing() {
    Flow<String, String> hello = register(saying("hello", 1));

    hapax.tenant("acme").close();

    assertThat(hapax.tenant("acme").start(hello, "x").await()).isEqualTo("hello x");
  }
}
