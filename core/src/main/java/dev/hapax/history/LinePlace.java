package dev.hapax.history;

import java.time.Instant;

/** The place of the next line in a history. */
record LinePlace(long seq, Instant at) {
  HistoryLine line(String type) {
    return new HistoryLine(seq, at, type);
  }

  /** Begins a line about something that the run may no longer do. */
  HistoryLine refused() {
    return line("refused").decision("the run is being canceled");
  }
}
