package dev.hapax.effect;

import dev.hapax.flow.Step;
import org.jspecify.annotations.Nullable;

/**
 * The success of an attempt that was under way when its effect went to a person.
 *
 * @param externalId the id in the answer, if it has one
 */
public record LateAnswer(
    long run, long effect, Step step, int revision, @Nullable String externalId) {}
