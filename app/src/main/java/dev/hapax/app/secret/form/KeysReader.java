package dev.hapax.app.secret.form;

import dev.hapax.flows.connection.Idempotency;
import org.jspecify.annotations.Nullable;

/** Reads how a destination removes duplicates. */
final class KeysReader {
  private KeysReader() {}

  static Idempotency keys(ConnectionForm.@Nullable Keys form) {
    if (form == null) {
      return Idempotency.USUAL;
    }
    if (form.provider() != null) {
      Idempotency known = Idempotency.of(form.provider());
      return form.refusals() == null
          ? known
          : known.refusals(form.refusals().toArray(Integer[]::new));
    }
    if ("none".equals(form.stores())) {
      return withoutKeys(form);
    }
    Idempotency.Stores stores =
        switch (form.stores() == null ? "all" : form.stores()) {
          case "all" -> Idempotency.Stores.ALL;
          case "success" -> Idempotency.Stores.SUCCESS;
          default ->
              throw new IllegalArgumentException(
                  "http.idempotency.stores: expected all, success or none, got '%s'"
                      .formatted(form.stores()));
        };
    boolean isInBody = form.bodyField() != null;
    if (isInBody && form.header() != null) {
      throw new IllegalArgumentException(
          "http.idempotency: expected header or bodyField, got both");
    }
    Idempotency usual = Idempotency.USUAL;
    return new Idempotency(
        isInBody ? null : form.header() == null ? usual.header() : form.header(),
        form.bodyField(),
        FormFields.time("http.idempotency.window", form.window(), usual.window()),
        stores,
        form.replayHeader(),
        form.inFlight() == null ? usual.inFlight() : form.inFlight(),
        form.keyReused() == null ? usual.keyReused() : form.keyReused(),
        form.refusals() == null ? usual.refusals() : form.refusals());
  }

  private static Idempotency withoutKeys(ConnectionForm.Keys form) {
    var alone =
        new ConnectionForm.Keys(null, null, null, null, form.stores(), null, null, null, null);
    if (!form.equals(alone)) {
      throw new IllegalArgumentException(
          "http.idempotency: a destination that stores none takes no keys, so nothing else fits"
              + " beside it");
    }
    return Idempotency.NONE;
  }
}
