package dev.hapax;

import java.util.List;

/**
 * What became of the rows of an import.
 *
 * @param added rows that are new in the ledger
 * @param same rows that the ledger had before, with the same content
 * @param kept rows that the ledger has with other content; they stay as they are
 */
public record ImportReport(int added, int same, List<KeptRow> kept) {
  public ImportReport {
    kept = List.copyOf(kept);
  }

  /**
   * A row that stays as it is.
   *
   * @param index of the row that was given, from 0 on
   * @param effect the id of the row in the ledger
   * @param difference what the ledger has instead
   */
  public record KeptRow(int index, String effect, String difference) {}
}
