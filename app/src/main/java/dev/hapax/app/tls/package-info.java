/** Certificates and keys in PEM files, as the server, the command line and other tools use them. */
@NullMarked
package dev.hapax.app.tls;

import org.jspecify.annotations.NullMarked;
