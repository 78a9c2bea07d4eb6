package dev.hapax.trial.sandbox;

import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A request that left the engine, as it stands now.
 *
 * @param number counted from 1
 * @param connection null if it has a whole address
 * @param method of HTTP; for other ways a word such as {@code mail}
 * @param url of HTTP; for other ways the place that it goes to
 * @param headers without credentials
 * @param keyOnWire the key by which the destination removes duplicates; null if it does not
 * @param times how often the destination did it because of this request
 * @param isDuplicate whether the destination knew it already, and did nothing
 * @param status of the answer; null if there was none, or none with a status
 */
public record SandboxRequest(
    int number,
    Instant at,
    RequestOrigin from,
    Way way,
    @Nullable String connection,
    String method,
    String url,
    Map<String, String> headers,
    @Nullable String body,
    @Nullable String keyOnWire,
    SandboxFault fault,
    int times,
    boolean isDuplicate,
    @Nullable Integer status) {
  /** How it leaves. */
  public enum Way {
    HTTP,
    MAIL,
    DATABASE,
    CALL,
    /** A job on another machine. */
    SSH,
    /** A published message, or an alert. */
    MESSAGE
  }

  public boolean isApplied() {
    return times > 0;
  }

  SandboxRequest meets(SandboxFault what) {
    return new SandboxRequest(
        number,
        at,
        from,
        way,
        connection,
        method,
        url,
        headers,
        body,
        keyOnWire,
        what,
        times,
        isDuplicate,
        status);
  }

  SandboxRequest appliedOnce() {
    return new SandboxRequest(
        number,
        at,
        from,
        way,
        connection,
        method,
        url,
        headers,
        body,
        keyOnWire,
        fault,
        times + 1,
        isDuplicate,
        status);
  }

  SandboxRequest known() {
    return new SandboxRequest(
        number,
        at,
        from,
        way,
        connection,
        method,
        url,
        headers,
        body,
        keyOnWire,
        fault,
        times,
        times == 0,
        status);
  }

  SandboxRequest answered(@Nullable Integer code) {
    return new SandboxRequest(
        number,
        at,
        from,
        way,
        connection,
        method,
        url,
        headers,
        body,
        keyOnWire,
        fault,
        times,
        isDuplicate,
        code);
  }
}
