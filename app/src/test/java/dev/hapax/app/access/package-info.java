@NullMarked
package dev.hapax.app.access;

import org.jspecify.annotations.NullMarked;
