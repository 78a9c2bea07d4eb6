/** Permissions of callers: tenants, tokens, rates per token, and the audit log. */
@NullMarked
package dev.hapax.app.access;

import org.jspecify.annotations.NullMarked;
