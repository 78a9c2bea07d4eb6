package dev.hapax.app.http;

/**
 * Room for the bodies of all requests. Each size has its own, so that nobody who sends much keeps
 * others from sending little.
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
   * @param kept while they come and as they are
   * @param parsed as values: many small ones take a hundred times the memory of their text
   */
  record Size(BodyRoom kept, BodyRoom parsed) {}

  Size of(long length) {
    return length <= TINY ? tiny : length <= USUAL ? usual : large;
  }
}
