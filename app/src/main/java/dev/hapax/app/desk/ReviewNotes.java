package dev.hapax.app.desk;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What people have written about a review, as it is stored.
 *
 * @param run the number of the run that owned the effect; the notes are deleted with it
 * @param assignee who takes care of it; null for no one
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record ReviewNotes(
    String tenant, String effect, long run, @Nullable String assignee, List<Comment> comments) {
  static final int MOST_COMMENTS = 100;
  static final int LONGEST_COMMENT = 5_000;
  static final int LONGEST_NAME = 200;

  ReviewNotes {
    comments = List.copyOf(comments);
  }

  /** A comment of a person. */
  record Comment(Instant at, String by, String text) {}

  static ReviewNotes none(String tenant, String effect, long run) {
    return new ReviewNotes(tenant, effect, run, null, List.of());
  }

  ReviewNotes assignee(@Nullable String person) {
    return new ReviewNotes(tenant, effect, run, person, comments);
  }

  ReviewNotes with(Comment comment) {
    var all = new ArrayList<>(comments);
    all.add(comment);
    return new ReviewNotes(tenant, effect, run, assignee, all);
  }
}
