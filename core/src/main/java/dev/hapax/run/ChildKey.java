package dev.hapax.run;

import dev.hapax.flow.Names;
import dev.hapax.flow.RunId;
import dev.hapax.flow.Step;
import dev.hapax.json.Digest;
import java.nio.charset.StandardCharsets;

/**
 * The default key of a child run: its parent's id and the step that starts it. It is part of the
 * public contract, because the child's id is made from it.
 */
public final class ChildKey {
  private ChildKey() {}

  /**
   * A step's name contains none of '@', ':' and '~', so no two steps give the same key. An item
   * that is too long for a key is replaced by its hash.
   */
  public static String of(RunId parent, Step step) {
    int round = step.roundNumber();
    String start = parent + "/" + step.name() + (round == 1 ? "" : "@" + round);
    String item = step.item();
    if (item == null) {
      return start;
    }
    String readable = start + ":" + item;
    return readable.getBytes(StandardCharsets.UTF_8).length <= Names.LONGEST_KEY_BYTES
        ? readable
        : start + "~" + Digest.base32(Digest.ofParts("item", item), 32);
  }
}
