package dev.hapax.flows.connection;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A mail as the intent stores it. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Mail(
    List<String> to,
    List<String> cc,
    String subject,
    @Nullable String text,
    @Nullable String html) {}
