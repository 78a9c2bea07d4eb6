package dev.hapax.app.mcp.tool;

/**
 * What a client may assume about a tool. All four are always given: a missing one means the worst.
 *
 * @param isReadOnly changes nothing
 * @param isDestructive may delete or overwrite something
 * @param isIdempotent the same call again has no further effect
 * @param isOpenWorld reaches systems outside of Hapax
 */
public record ToolHints(
    boolean isReadOnly, boolean isDestructive, boolean isIdempotent, boolean isOpenWorld) {
  public static final ToolHints READ = new ToolHints(true, false, true, false);
}
