package dev.hapax.job;

/**
 * Says how many rows to read next. A row holds up to some megabytes, and how large rows are shows
 * only after some were read. Used by one thread.
 */
public final class PageSizes {
  private static final long MOST_BYTES = 4 << 20;
  private static final int FIRST = 8;

  private int rest;
  private long rows;
  private long bytes;

  /**
   * @param limit the most rows of the whole page
   */
  public PageSizes(int limit) {
    this.rest = limit;
  }

  /** Returns how many rows to read; 0 if the page is full. */
  public int next() {
    if (rows == 0) {
      return Math.min(FIRST, rest);
    }
    long fit = MOST_BYTES / Math.max(1, bytes / rows);
    return (int) Math.min(rest, Math.max(1, fit));
  }

  /** Notes a row that was read, and about how many bytes it holds. */
  public void read(long size) {
    rest--;
    rows++;
    bytes += size;
  }
}
