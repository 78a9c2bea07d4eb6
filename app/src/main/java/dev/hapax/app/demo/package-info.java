/**
 * {@code hapax demo}: three processes (the demo, which plays the shop; a server; a sandbox of
 * outside systems), deliberate faults, and books that must agree.
 */
@NullMarked
package dev.hapax.app.demo;

import org.jspecify.annotations.NullMarked;
