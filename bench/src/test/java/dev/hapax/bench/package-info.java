@NullMarked
package dev.hapax.bench;

import org.jspecify.annotations.NullMarked;
