/** Tests of the review desk. */
@NullMarked
package dev.hapax.app.desk;

import org.jspecify.annotations.NullMarked;
