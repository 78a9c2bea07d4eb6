package dev.hapax.app.oidc;

import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKMatcher;
import com.nimbusds.jose.jwk.JWKSelector;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.OctetSequenceKey;
import com.nimbusds.jose.util.Base64URL;
import dev.hapax.testkit.ManualTime;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A key that its issuer has withdrawn is not accepted, also after a time without requests. */
@SuppressWarnings("MemberName") // the names of tests are sentences
@Timeout(value = 30, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class IssuerKeysTest {
  private static final JWKSelector OLD =
      new JWKSelector(new JWKMatcher.Builder().keyID("old").build());

  private final ManualTime time = new ManualTime();
  private final AtomicInteger asked = new AtomicInteger();
  private volatile IssuerKeys.Source issuer = () -> keys("old");
  private final IssuerKeys keys =
      new IssuerKeys(
          () -> {
            asked.incrementAndGet();
            return issuer.keys();
          },
          time.ports());

  private static JWKSet keys(String id) {
    JWK key = new OctetSequenceKey.Builder(Base64URL.encode(id)).keyID(id).build();
    return new JWKSet(key);
  }

  private List<JWK> old() {
    return keys.get(OLD, null);
  }

  @Test
  void a_key_that_was_withdrawn_while_nobody_came_is_refused() {
    assertThat(old()).hasSize(1);
    issuer = () -> keys("new");
    time.move(Duration.ofMinutes(11));

    assertThat(old()).isEmpty();
    assertThat(asked).hasValue(2);
  }

  @Test
  void callers_that_come_at_once_all_wait_for_the_new_keys() throws Exception {
    assertThat(old()).hasSize(1);
    var isAsked = new CountDownLatch(1);
    var mayAnswer = new CountDownLatch(1);
    issuer =
        () -> {
          isAsked.countDown();
          try {
            mayAnswer.await();
          } catch (InterruptedException e) {
            throw new IOException(e);
          }
          return keys("new");
        };
    time.move(Duration.ofHours(3));
    CompletableFuture<List<JWK>> first = CompletableFuture.supplyAsync(this::old);
    isAsked.await();
    var second = new CompletableFuture<List<JWK>>();
    Thread waiting = Thread.ofPlatform().start(() -> second.complete(old()));
    while (waiting.getState() != Thread.State.WAITING && !second.isDone()) {
      Thread.onSpinWait();
    }

    mayAnswer.countDown();

    assertThat(first.get()).isEmpty();
    assertThat(second.get()).isEmpty();
    assertThat(asked).hasValue(2);
  }

  @Test
  void the_keys_of_an_issuer_that_is_away_stay_good_for_a_day_and_only_one_caller_waits() {
    assertThat(old()).hasSize(1);
    issuer =
        () -> {
          throw new IOException("away");
        };
    time.move(Duration.ofHours(3));

    assertThat(old()).hasSize(1);
    assertThat(old()).hasSize(1);
    assertThat(asked).hasValue(2);

    issuer = () -> keys("new");
    time.move(Duration.ofMinutes(2));
    assertThat(old()).isEmpty();
  }
}
