@NullMarked
package dev.hapax.subject;

import org.jspecify.annotations.NullMarked;
