@NullMarked
package dev.hapax.app.webhook;

import org.jspecify.annotations.NullMarked;
