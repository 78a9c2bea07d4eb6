package dev.hapax.app.cli;

import org.jspecify.annotations.Nullable;

/** A server by name. */
record Profile(String url, @Nullable String token) {}
