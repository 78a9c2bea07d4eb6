package dev.hapax.store.jdbc;

import dev.hapax.flow.ObjectVersion;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * The columns of a version: {@code version} for a whole number of 64 bits, as in all stores, and
 * {@code version_text} for any other version.
 */
final class VersionColumns {
  private VersionColumns() {}

  static @Nullable Long number(@Nullable ObjectVersion version) {
    return version == null ? null : version.asLong();
  }

  static @Nullable String text(@Nullable ObjectVersion version) {
    return version == null || version.asLong() != null ? null : version.text();
  }

  static @Nullable ObjectVersion of(Row row, int number, int text) throws SQLException {
    String written = row.textOrNull(text);
    if (written != null) {
      return ObjectVersion.ofStored(written);
    }
    Long whole = row.numberOrNull(number);
    return whole == null ? null : ObjectVersion.of(whole);
  }
}
