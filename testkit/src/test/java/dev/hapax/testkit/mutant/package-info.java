@NullMarked
package dev.hapax.testkit.mutant;

import org.jspecify.annotations.NullMarked;
