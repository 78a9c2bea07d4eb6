/** Tests of the schedules of live releases. */
@NullMarked
package dev.hapax.app.schedule;

import org.jspecify.annotations.NullMarked;
