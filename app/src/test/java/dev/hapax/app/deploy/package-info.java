@NullMarked
package dev.hapax.app.deploy;

import org.jspecify.annotations.NullMarked;
