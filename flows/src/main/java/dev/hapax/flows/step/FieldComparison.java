package dev.hapax.flows.step;

import java.util.List;

/**
 * How the declared fields of an object at a destination compare with a row of the ledger.
 *
 * @param different the fields in which both sides differ
 * @param unanswered the fields that read the answer to the effect, which a doubt does not have
 * @param hasContent whether a field that agrees reads what was sent: the request or the version
 */
public record FieldComparison(List<String> different, List<String> unanswered, boolean hasContent) {
  static final FieldComparison NOTHING = new FieldComparison(List.of(), List.of(), false);

  public FieldComparison {
    different = List.copyOf(different);
    unanswered = List.copyOf(unanswered);
  }
}
