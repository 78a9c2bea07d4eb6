package dev.hapax.flows.connection;

import java.util.Locale;

/** The state of a job on another machine. */
public enum RemoteState {
  /** It is there, and has not begun. */
  WAITING,
  RUNNING,
  /** It has ended by itself, with an exit code. */
  ENDED,
  /** It was canceled, and its processes are gone. */
  CANCELED,
  /** It had begun, and is gone without an exit code: it was killed, or its machine was. */
  LOST,
  /** The machine knows no job with this token. */
  UNKNOWN,
  /** The token belongs to a job with another command. */
  CONFLICT,
  /** The machine could not write the job down; it has not begun. */
  REFUSED;

  /** Returns it as flow files read it. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
