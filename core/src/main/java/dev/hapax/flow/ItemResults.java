package dev.hapax.flow;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The result of a loop whose items have results.
 *
 * @param items in the order in which the loop got them
 */
public record ItemResults<R>(Items summary, List<ItemResult<R>> items) {
  /**
   * One item.
   *
   * @param output null if the item failed, or if its code returned null
   * @param error null if the item succeeded
   */
  public record ItemResult<R>(String key, @Nullable R output, Items.@Nullable Failed error) {}

  public ItemResults {
    items = List.copyOf(items);
  }
}
