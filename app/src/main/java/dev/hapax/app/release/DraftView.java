package dev.hapax.app.release;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.hapax.app.data.Stored;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A draft; its text is fetched as YAML.
 *
 * @param etag for {@code If-Match}
 * @param findings its problems so far; only in the answer to its writer
 */
record DraftView(
    String etag,
    String author,
    Instant updatedAt,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable List<FindingView> findings) {

  static DraftView of(Stored<Draft> draft) {
    return new DraftView(etag(draft), draft.value().author(), draft.value().updatedAt(), null);
  }

  static DraftView of(Releases.DraftPut put) {
    DraftView draft = of(put.draft());
    return new DraftView(
        draft.etag(), draft.author(), draft.updatedAt(), FindingView.of(put.findings()));
  }

  static String etag(Stored<Draft> draft) {
    return "\"" + draft.version() + "\"";
  }
}
