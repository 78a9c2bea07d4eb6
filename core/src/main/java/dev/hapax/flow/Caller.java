package dev.hapax.flow;

import dev.hapax.json.Text;

/**
 * A person or program whose identity was proven, for example by a token.
 *
 * @param id of the credential; no two callers share one
 * @param name of the user, for people; the credentials of one user have the same name
 */
public record Caller(String id, String name) {
  public Caller {
    if (id.isBlank() || !Text.isStorable(id) || name.isBlank() || !Text.isStorable(name)) {
      throw new IllegalArgumentException(
          "caller: expected an id and a name of at most 10,000 characters, got '%s' and '%s'"
              .formatted(Text.storable(id), Text.storable(name)));
    }
  }
}
