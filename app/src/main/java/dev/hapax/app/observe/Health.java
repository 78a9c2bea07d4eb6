package dev.hapax.app.observe;

import dev.hapax.Hapax;
import dev.hapax.app.http.Answer;
import dev.hapax.app.http.Problem;
import dev.hapax.app.http.Route;
import dev.hapax.app.http.Scope;
import dev.hapax.time.Threads;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;

/**
 * {@code /healthz}: the process lives. {@code /readyz}: it takes work, its store can be written.
 */
public final class Health {
  private static final Status OK = new Status("ok");
  private static final Duration PATIENCE = Duration.ofSeconds(2);

  private final Hapax hapax;
  private final BooleanSupplier isClosing;
  private final Threads threads;
  private CompletableFuture<Void> asked = CompletableFuture.completedFuture(null); // by this

  private record Status(String status) {}

  public Health(Hapax hapax, BooleanSupplier isClosing, Threads threads) {
    this.hapax = hapax;
    this.isClosing = isClosing;
    this.threads = threads;
  }

  /** Its routes. */
  public List<Route> routes() {
    return List.of(
        Route.get("/healthz", Scope.PUBLIC, "Whether the process lives", _ -> Answer.ok(OK))
            .gives(200, Status.class),
        Route.get("/readyz", Scope.PUBLIC, "Whether it takes work", _ -> ready())
            .gives(200, Status.class));
  }

  private Answer ready() {
    if (isClosing.getAsBoolean()) {
      throw Problem.unavailable("the server is about to stop");
    }
    if (!hapax.isWritable()) {
      throw Problem.unavailable("the store cannot be written");
    }
    if (!storeAnswers()) {
      throw Problem.unavailable("the store does not answer");
    }
    return Answer.ok(OK);
  }

  /** Whoever asks while nobody was answered yet waits for the same answer. */
  private boolean storeAnswers() {
    try {
      question().get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    } catch (ExecutionException | TimeoutException e) {
      return false;
    }
  }

  private synchronized CompletableFuture<Void> question() {
    if (asked.isDone()) {
      var next = new CompletableFuture<Void>();
      threads.virtual("hapax-ready", () -> ask(next));
      asked = next;
    }
    return asked;
  }

  private void ask(CompletableFuture<Void> question) {
    try {
      hapax.findRun(0);
      question.complete(null);
    } catch (RuntimeException e) {
      question.completeExceptionally(e);
    }
  }
}
