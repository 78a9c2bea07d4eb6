package dev.hapax;

/**
 * How a person's data is erased.
 *
 * @param scans whether every run of the tenant is read for the person's id, to find runs that
 *     declare no subject or are older than their declaration. It takes time
 * @param externalIds whether the ids that destinations gave are erased too
 */
public record ErasureWish(boolean scans, boolean externalIds) {
  /** By the index, and without the destinations' ids. */
  public static final ErasureWish DEFAULT = new ErasureWish(false, false);
}
