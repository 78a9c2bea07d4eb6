package dev.hapax.flow;

import java.time.Duration;

/**
 * An effect on a database of yours, guarded by a marker row in the same transaction.
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

  public TransactionEffect<C> timeout(Duration timeout) {
    return new TransactionEffect<>(effect.timeout(timeout), database);
  }
}
