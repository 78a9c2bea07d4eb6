package dev.hapax.flow;

import java.time.Duration;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * An effect on your database, guarded by a marker row in the same transaction.
 *
 * @param <C> the connection that the sender gets
 */
public record TransactionEffect<C>(Effect<?> effect, DestinationDatabase<C> database) {
  public TransactionEffect<C> name(String name) {
    return new TransactionEffect<>(effect.name(name), database);
  }

  public TransactionEffect<C> retry(RetryPolicy retry) {
    return new TransactionEffect<>(effect.retry(retry), database);
  }

  /** As {@link Effect#compensate(Class, Function)}. */
  public <T> TransactionEffect<C> compensate(Class<T> result, Function<T, Undo> undo) {
    return new TransactionEffect<>(effect.compensate(result, undo), database);
  }

  /** As {@link Effect#compensate(Undo)}. */
  public TransactionEffect<C> compensate(Undo undo) {
    return new TransactionEffect<>(effect.compensate(undo), database);
  }

  /** As {@link Effect#externalId(Class, Function)}. */
  public <T> TransactionEffect<C> externalId(Class<T> result, Function<T, @Nullable String> id) {
    return new TransactionEffect<>(effect.externalId(result, id), database);
  }

  public TransactionEffect<C> timeout(Duration timeout) {
    return new TransactionEffect<>(effect.timeout(timeout), database);
  }

  public TransactionEffect<C> to(String destination) {
    return new TransactionEffect<>(effect.to(destination), database);
  }
}
