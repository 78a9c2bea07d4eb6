/** What people do to runs: cancel, retry, settle, answer. */
@NullMarked
package dev.hapax.engine.control;

import org.jspecify.annotations.NullMarked;
