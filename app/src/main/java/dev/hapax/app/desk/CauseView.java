package dev.hapax.app.desk;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reviews that share a cause.
 *
 * @param cause its id, for {@code /api/reviews?cause=}
 * @param error the evidence without what differs from case to case
 * @param oldestSentAt when the first of their attempts was sent
 * @param examples the ids of some of the effects
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record CauseView(
    String cause,
    @Nullable String flow,
    String step,
    @Nullable String destination,
    String error,
    long count,
    @Nullable Instant oldestSentAt,
    @Nullable Long oldestAgeSeconds,
    List<String> examples) {}
