package dev.hapax.testkit.fault;

import java.time.Instant;
import java.util.List;

/**
 * One line of the sink's log: a request that arrived in full, and its outcome.
 *
 * @param number its place in the order of arrival, from 1
 * @param payloadHash SHA-256 in hex
 * @param applied whether it changed something, rather than being refused or recognised as a repeat
 * @param fault the fault that was applied to it
 */
public record Arrival(
    long number,
    Instant at,
    SinkRequest.Mode mode,
    String key,
    String wireKey,
    String payloadHash,
    boolean applied,
    SinkFaults.Fault fault) {

  /** Returns the destination's answer to a request that it applied. */
  public String receipt() {
    return "receipt-" + number;
  }

  /** Whether the sender got no clear answer. */
  public boolean isAmbiguous() {
    return fault == SinkFaults.Fault.LOST || fault == SinkFaults.Fault.BROKEN;
  }

  String line() {
    return String.join(
        "\t",
        Long.toString(number),
        Long.toString(at.toEpochMilli()),
        mode.name(),
        key,
        wireKey,
        payloadHash,
        Boolean.toString(applied),
        fault.name());
  }

  static Arrival of(String line) {
    List<String> field = List.of(line.split("\t", -1));
    return new Arrival(
        Long.parseLong(field.get(0)),
        Instant.ofEpochMilli(Long.parseLong(field.get(1))),
        SinkRequest.Mode.valueOf(field.get(2)),
        field.get(3),
        field.get(4),
        field.get(5),
        Boolean.parseBoolean(field.get(6)),
        SinkFaults.Fault.valueOf(field.get(7)));
  }
}
