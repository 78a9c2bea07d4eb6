package dev.hapax.app.oidc;

import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSelector;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.source.JWKSource;
import com.nimbusds.jose.proc.SecurityContext;
import dev.hapax.app.http.Problem;
import dev.hapax.time.Ports;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The public keys of an issuer, kept in memory. A token with an unknown key makes it look for new
 * keys, but seldom: a caller who invents keys must not make this server flood the issuer. A key
 * that the issuer has withdrawn is refused ten minutes later. While the issuer is away, the keys
 * that are known stay good for a day. Safe for many threads.
 */
final class IssuerKeys implements JWKSource<SecurityContext> {
  private static final Logger log = LoggerFactory.getLogger(IssuerKeys.class);

  /** Older keys are read again beside a request, so that busy callers never wait for it. */
  private static final Duration FRESH = Duration.ofMinutes(9);

  /** Still older ones, after a time without requests, are read again before they are used. */
  private static final Duration USABLE = Duration.ofMinutes(10);

  /** After a failure, callers do not wait for the next try. */
  private static final Duration NO_WAIT_AFTER_FAILURE = Duration.ofMinutes(1);

  private static final Duration GOOD = Duration.ofDays(1);
  private static final Duration BETWEEN_LOOKS = Duration.ofSeconds(30);
  private static final Duration BETWEEN_FAILURES = Duration.ofSeconds(5);

  private final Source source;
  private final Ports ports;
  private final ReentrantLock asking = new ReentrantLock();
  private volatile @Nullable Known known;
  private volatile @Nullable Asked lastAsked;
  private volatile @Nullable Long failedAt;

  /** Where keys come from. */
  @FunctionalInterface
  interface Source {
    JWKSet keys() throws IOException;
  }

  private record Known(JWKSet keys, long readAt) {}

  private record Asked(long at, boolean failed) {}

  IssuerKeys(Source source, Ports ports) {
    this.source = source;
    this.ports = ports;
  }

  /**
   * Returns the keys that fit.
   *
   * @throws Problem {@code unavailable} if there are none at all because the issuer is away
   */
  @Override
  public List<JWK> get(JWKSelector wanted, @Nullable SecurityContext context) {
    Known now = current();
    List<JWK> found = wanted.select(now.keys());
    if (found.isEmpty() && mayAsk()) {
      ask();
      now = current();
      found = wanted.select(now.keys());
    }
    return found;
  }

  private Known current() {
    Known is = known;
    if (is == null || age(is.readAt()).compareTo(GOOD) > 0) {
      if (mayAsk()) {
        ask();
      }
      is = known;
      if (is == null || age(is.readAt()).compareTo(GOOD) > 0) {
        throw Problem.unavailable(
            "the issuer of this token cannot be reached, so the token cannot be checked: try again soon");
      }
    } else if (age(is.readAt()).compareTo(USABLE) > 0 && !hasJustFailed()) {
      ask();
      return known == null ? is : known;
    } else if (age(is.readAt()).compareTo(FRESH) > 0 && mayAsk() && !asking.isLocked()) {
      ports.threads().virtual("hapax-issuer", this::ask); // the caller does not wait
    }
    return is;
  }

  private boolean hasJustFailed() {
    Long failed = failedAt;
    return failed != null && age(failed).compareTo(NO_WAIT_AFTER_FAILURE) < 0;
  }

  private Duration age(long nanos) {
    return Duration.ofNanos(ports.clock().nanos() - nanos);
  }

  private boolean mayAsk() {
    Asked last = lastAsked;
    return last == null
        || age(last.at()).compareTo(last.failed() ? BETWEEN_FAILURES : BETWEEN_LOOKS) >= 0;
  }

  /** One thread asks at a time. A thread that has waited for it uses the same answer. */
  private void ask() {
    asking.lock();
    try {
      if (!mayAsk()) {
        return;
      }
      boolean hadFailed = lastAsked != null && lastAsked.failed();
      lastAsked = new Asked(ports.clock().nanos(), true); // until the answer is here
      long now = ports.clock().nanos();
      JWKSet keys = source.keys();
      known = new Known(keys, now);
      lastAsked = new Asked(now, false);
      failedAt = null;
      if (hadFailed) {
        log.info("the keys of the issuer were read again");
      }
    } catch (IOException | RuntimeException e) {
      failedAt = ports.clock().nanos();
      if (known == null || age(known.readAt()).compareTo(FRESH) > 0) {
        log.warn("the keys of the issuer could not be read: {}", e.getMessage());
      }
    } finally {
      asking.unlock();
    }
  }
}
