/** The verbs for the operator of a server: secrets, tokens, tenants, backups, profiles. */
@NullMarked
package dev.hapax.app.cli.operations;

import org.jspecify.annotations.NullMarked;
