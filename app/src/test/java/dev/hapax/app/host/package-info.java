/** Another program that hosts the routes: it sees what is public, as any program does. */
@NullMarked
package dev.hapax.app.host;

import org.jspecify.annotations.NullMarked;
