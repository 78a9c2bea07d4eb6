package dev.hapax.app.queue;

/** A queue trigger by its name in its tenant. */
record QueueKey(String tenant, String name) {
  /** What its events have as their source; no webhook may have such a path. */
  static final String SOURCE = "queue/";

  String source() {
    return SOURCE + name;
  }
}
