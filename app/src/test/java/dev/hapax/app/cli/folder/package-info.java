/** Tests of folders that are deployed and written. */
@NullMarked
package dev.hapax.app.cli.folder;

import org.jspecify.annotations.NullMarked;
