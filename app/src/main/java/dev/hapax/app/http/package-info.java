/**
 * The shape of every HTTP API: routes, their requests and their answers. Only {@code Mount} and
 * {@code Server} know which HTTP server carries them.
 */
@NullMarked
package dev.hapax.app.http;

import org.jspecify.annotations.NullMarked;
