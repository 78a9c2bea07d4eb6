package dev.hapax.app.release;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A release.
 *
 * @param hash SHA-256 of its file in hexadecimal
 * @param text its file; only of a single release
 */
record ReleaseView(
    int release,
    String hash,
    @Nullable String note,
    String author,
    Instant createdAt,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String text) {

  static ReleaseView of(Release release) {
    return of(release, null);
  }

  static ReleaseView withText(Release release) {
    return of(release, release.text());
  }

  private static ReleaseView of(Release release, @Nullable String text) {
    return new ReleaseView(
        release.number(),
        release.hash(),
        release.note(),
        release.author(),
        release.createdAt(),
        text);
  }

  /** The answer to its creator, with the warnings about its file. */
  record Made(int release, String hash, List<FindingView> findings) {
    static Made of(Releases.Released released) {
      return new Made(
          released.release().number(),
          released.release().hash(),
          FindingView.of(released.findings()));
    }
  }

  /** The difference of two releases, in the unified format. */
  record Diff(int from, int to, boolean same, String diff) {}
}
