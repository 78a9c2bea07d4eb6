package dev.hapax.app.observe;

import dev.hapax.Hapax;
import dev.hapax.app.http.Problem;
import dev.hapax.app.http.Request;
import dev.hapax.app.http.Route;
import dev.hapax.app.http.RouteAnswer;
import dev.hapax.app.http.Routes;
import dev.hapax.time.Threads;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/**
 * Checks whether the store answers. While its database is unreachable, requests are refused at
 * once, although the engine itself waits for it, however long that takes.
 */
public final class StoreWatch implements Routes.Observer {
  private static final Duration PATIENCE = Duration.ofSeconds(3);
  private static final Duration LOOK_AGAIN = Duration.ofSeconds(1);
  private static final Set<String> WITHOUT_STORE =
      Set.of("/healthz", "/readyz", "/metrics", "/openapi.json");

  private final Hapax hapax;
  private final Threads threads;
  private CompletableFuture<Void> question = CompletableFuture.completedFuture(null); // by this
  private long askedAt = System.nanoTime() - LOOK_AGAIN.toNanos(); // by this

  public StoreWatch(Hapax hapax, Threads threads) {
    this.hapax = hapax;
    this.threads = threads;
  }

  @Override
  public RouteAnswer around(Route route, Request request, Supplier<RouteAnswer> handling) {
    if (!WITHOUT_STORE.contains(route.path()) && isAway()) {
      return Problem.unavailable(
              "the store does not answer: try again soon, with the same key if you start a run")
          .answer();
    }
    return handling.get();
  }

  private synchronized boolean isAway() {
    long since = System.nanoTime() - askedAt;
    if (question.isDone() && since > LOOK_AGAIN.toNanos()) {
      ask();
      return false;
    }
    return !question.isDone() && since > PATIENCE.toNanos();
  }

  /** Waits a while for an answer. */
  boolean answers() {
    try {
      open().get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    } catch (ExecutionException | TimeoutException e) {
      return false;
    }
  }

  /** A caller that asks while a question is open waits for the same answer. */
  private synchronized CompletableFuture<Void> open() {
    if (question.isDone()) {
      ask();
    }
    return question;
  }

  /** Holds the lock. */
  private void ask() {
    var next = new CompletableFuture<Void>();
    question = next;
    askedAt = System.nanoTime();
    threads.virtual("hapax-watch", () -> ask(next));
  }

  private void ask(CompletableFuture<Void> answer) {
    try {
      hapax.findRun(0);
      answer.complete(null);
    } catch (RuntimeException | Error e) {
      answer.completeExceptionally(e); // an open question would refuse all requests for ever
      if (e instanceof Error error) {
        throw error;
      }
    }
  }
}
