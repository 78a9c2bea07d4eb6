/**
 * The shape of every door that speaks HTTP: routes, what they are asked and what they answer. Only
 * {@code Mount} and {@code Server} know which HTTP server carries them.
 */
@NullMarked
package dev.hapax.app.http;

import org.jspecify.annotations.NullMarked;
