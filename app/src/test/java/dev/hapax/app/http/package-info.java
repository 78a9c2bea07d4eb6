@NullMarked
package dev.hapax.app.http;

import org.jspecify.annotations.NullMarked;
