package dev.hapax.flows.connection;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A request as the intent stores it: everything except the secrets, so that a resend sends the same
 * bytes.
 *
 * @param connection null if the target is a whole address
 * @param target path and query below the connection's base address, or a whole address
 * @param body null if there is none
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record HttpRequest(
    @Nullable String connection,
    String method,
    String target,
    Map<String, String> headers,
    @Nullable String body) {}
