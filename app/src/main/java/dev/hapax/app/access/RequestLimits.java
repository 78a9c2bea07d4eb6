package dev.hapax.app.access;

import org.jspecify.annotations.Nullable;

/**
 * How many requests a second are answered, on each node.
 *
 * @param perToken of one token without its own limit; null for no limit
 * @param perAddress of one address, with or without a token; null for no limit
 * @param wrongTokens how many of one address are answered before more are slowed down; null for no
 *     limit
 */
public record RequestLimits(
    @Nullable Integer perToken, @Nullable Integer perAddress, @Nullable Integer wrongTokens) {
  public static final RequestLimits NONE = new RequestLimits(null, null, null);
}
