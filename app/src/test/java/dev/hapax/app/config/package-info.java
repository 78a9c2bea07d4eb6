@NullMarked
package dev.hapax.app.config;

import org.jspecify.annotations.NullMarked;
