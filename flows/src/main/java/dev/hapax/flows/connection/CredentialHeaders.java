package dev.hapax.flows.connection;

import java.util.Locale;
import java.util.regex.Pattern;

/**
 * Decides by its name whether a header carries a credential, which any reader could use. Such
 * headers are not kept with events and not shown in connections.
 */
public final class CredentialHeaders {
  private static final Pattern NAMES =
      Pattern.compile(
          ".*(authorization|cookie|token|secret|password|passwd|credential|api-?key|access-?key"
              + "|auth-?key|private-?key|session-?id|bearer|jwt|assertion)s?(2|-v\\d)?"
              + "|x-auth|x-auth-.*|auth");

  private CredentialHeaders() {}

  public static boolean contains(String name) {
    return NAMES.matcher(name.strip().toLowerCase(Locale.ROOT).replace('_', '-')).matches();
  }
}
