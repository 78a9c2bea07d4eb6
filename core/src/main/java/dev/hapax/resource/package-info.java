/** Large values, stored once and passed by reference. */
@NullMarked
package dev.hapax.resource;

import org.jspecify.annotations.NullMarked;
