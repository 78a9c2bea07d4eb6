/** The HTTP API of runs and their parts: a class per resource, each a list of routes. */
@NullMarked
package dev.hapax.app.api;

import org.jspecify.annotations.NullMarked;
