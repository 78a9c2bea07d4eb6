package dev.hapax.flow;

/** The events that can alert people. */
public enum Alert {
  FAILED("failed"),
  REVIEW("review"),
  MISSED_SCHEDULE("missed schedule"),
  /** A wait for a callback or an approval. */
  WAITING_TOO_LONG("waiting too long"),
  /** A run is kept out of memory, because it seems to have ended processes. */
  QUARANTINED("quarantined"),
  /** The circuit breaker of a destination opens: calls to it wait. */
  CIRCUIT_OPEN("circuit open"),
  /** A scheduled reconciliation finds that the ledger and a destination differ. */
  DIFFERENCES("differences"),
  /** The disk of a server is almost full. Only a server reports it. */
  DISK_LOW("disk low"),
  /** A process lost its lease or ended without closing, and another one continues its runs. */
  LEASE_LOST("lease lost");

  private final String word;

  Alert(String word) {
    this.word = word;
  }

  public String word() {
    return word;
  }

  /** Whether it is about a node and not about a run or a flow. */
  public boolean isOfNode() {
    return this == DISK_LOW || this == LEASE_LOST;
  }

  /** Returns the type of the message that reports it. */
  public String type() {
    return "hapax.alert." + word.replace(' ', '-');
  }
}
