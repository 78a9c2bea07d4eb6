@NullMarked
package dev.hapax.app.auth;

import org.jspecify.annotations.NullMarked;
