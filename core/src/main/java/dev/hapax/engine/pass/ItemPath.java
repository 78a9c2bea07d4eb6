package dev.hapax.engine.pass;

import dev.hapax.flow.Names;
import org.jspecify.annotations.Nullable;

/** The keys of nested items, from the outermost to the innermost. */
public final class ItemPath {
  private ItemPath() {}

  /**
   * Why there can be no item inside this one; null if there can. With an outer item that ends with
   * a slash, the joined name reads the same as without that slash and with an inner item that
   * begins with one. Two children or two callbacks would then be one.
   */
  public static @Nullable String ambiguous(@Nullable String outer) {
    return outer == null || !outer.endsWith("/")
        ? null
        : "item '%s' contains other items, and its key ends with '/': their names would be ambiguous. Use a key with another ending."
            .formatted(outer);
  }

  /** The name of an item inside another; the innermost name contains all of them. */
  public static String within(@Nullable String outer, String inner) {
    return outer == null ? inner : outer + Names.BETWEEN_ITEMS + inner;
  }
}
