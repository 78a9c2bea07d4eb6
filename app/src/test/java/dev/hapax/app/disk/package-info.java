/** Real processes on disks that lose their power, fail, lie or are full. */
@NullMarked
package dev.hapax.app.disk;

import org.jspecify.annotations.NullMarked;
