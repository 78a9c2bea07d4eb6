/**
 * {@code hapax demo}: three processes (the demo, a worker that embeds Hapax, a sandbox of outside
 * systems), faults on purpose, and books that must agree.
 */
@NullMarked
package dev.hapax.app.demo;

import org.jspecify.annotations.NullMarked;
