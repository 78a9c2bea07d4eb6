/** Rules for what is kept, and what stays of it afterwards. */
@NullMarked
package dev.hapax.run.retention;

import org.jspecify.annotations.NullMarked;
