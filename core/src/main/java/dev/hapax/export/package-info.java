/** Files of deleted records: lines of JSON in a folder for each tenant. */
@NullMarked
package dev.hapax.export;

import org.jspecify.annotations.NullMarked;
