package dev.hapax.app.http;

/**
 * Room for the bodies of all requests. Each size has its own room, so that large bodies do not
 * block small ones.
 */
final class BodyRooms {
  private static final int TINY = 1 << 16;
  private static final int USUAL = 1 << 20;

  private final Size tiny = new Size(BodyRoom.partOfMemory(32), BodyRoom.partOfMemory(256));
  private final Size usual = new Size(BodyRoom.partOfMemory(32), BodyRoom.partOfMemory(256));
  private final Size large = new Size(BodyRoom.partOfMemory(8), usual.parsed());

  /**
   * The rooms for bodies of one size.
   *
   * @param kept for their bytes, while they arrive and after
   * @param parsed for their values: many small ones take a hundred times the memory of their text
   */
  record Size(BodyRoom kept, BodyRoom parsed) {}

  Size of(long length) {
    return length <= TINY ? tiny : length <= USUAL ? usual : large;
  }
}
