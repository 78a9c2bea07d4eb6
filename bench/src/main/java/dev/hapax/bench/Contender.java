package dev.hapax.bench;

/** An engine with its own PostgreSQL database, ready to run a workflow of three steps. */
interface Contender extends AutoCloseable {

  /** Starts the workflow of this key and awaits its end. */
  void run(String key) throws Exception;

  /** Starts the workflow of a key that has ended; awaits nothing. */
  void startAgain(String key) throws Exception;

  @Override
  void close();
}
