@NullMarked
package dev.hapax.app.observe;

import org.jspecify.annotations.NullMarked;
