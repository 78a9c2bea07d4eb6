package dev.hapax.app.ui;

import dev.hapax.app.http.RouteAnswer;
import dev.hapax.app.http.Site;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The web UI. A browser gets the same page at every path that is not the API's, and the script in
 * it shows what the path asks for. At the root, every caller gets it that takes any content, such
 * as curl. Nothing is read before the first request.
 */
public final class WebSite implements Site {
  /** Scripts and styles of our own files only; no page of others may show ours. */
  private static final String POLICY =
      "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'"
          + " data:; font-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

  private static final String ASSETS = "/assets/";

  /** The name of a file changes with its content. */
  private static final String FOR_EVER = "public, max-age=31536000, immutable";

  private static final Map<String, String> TYPES =
      Map.of(
          ".js", "text/javascript; charset=utf-8",
          ".css", "text/css; charset=utf-8",
          ".map", "application/json",
          ".svg", "image/svg+xml");

  private final WebFiles files;
  private final Map<String, String> values;

  /**
   * The UI of a server.
   *
   * @param base the path prefix that browsers use; empty for none
   * @param version of the server
   * @param issuer the host at which people can log in; empty if they need a token
   */
  public WebSite(String base, String version, String issuer) {
    this.files = WebFiles.ofProgram();
    this.values = Map.of("base", base, "version", version, "issuer", issuer);
  }

  @Override
  public @Nullable RouteAnswer answer(String path, Function<String, @Nullable String> headers) {
    if (path.startsWith(ASSETS)) {
      return file(path.substring(ASSETS.length()), headers);
    }
    boolean isForPrograms = path.equals("/api") || path.startsWith("/api/") || isHook(path);
    String accepted = headers.apply("Accept");
    boolean isWanted = wantsPage(accepted) || (path.equals("/") && takesAnything(accepted));
    return isForPrograms || !isWanted ? null : page(headers);
  }

  private static boolean isHook(String path) {
    return path.startsWith("/hooks/");
  }

  private static boolean wantsPage(@Nullable String accept) {
    return accept != null && accept.toLowerCase(Locale.ROOT).contains("text/html");
  }

  private static boolean takesAnything(@Nullable String accept) {
    return accept == null || accept.isBlank() || accept.contains("*/*");
  }

  private @Nullable RouteAnswer file(String name, Function<String, @Nullable String> headers) {
    WebFiles.Content content = files.find(name);
    String type = TYPES.get(name.substring(Math.max(0, name.lastIndexOf('.'))));
    return content == null || type == null
        ? null
        : packed(content, type, headers)
            .header("Cache-Control", files.areFixed() ? FOR_EVER : "no-cache");
  }

  private @Nullable RouteAnswer page(Function<String, @Nullable String> headers) {
    WebFiles.Content content = files.page(values);
    return content == null
        ? null
        : packed(content, "text/html; charset=utf-8", headers)
            .header("Cache-Control", "no-cache")
            .header("Content-Security-Policy", POLICY)
            .header("Cross-Origin-Opener-Policy", "same-origin");
  }

  private static RouteAnswer packed(
      WebFiles.Content content, String type, Function<String, @Nullable String> headers) {
    String accepted = headers.apply("Accept-Encoding");
    boolean isPacked = accepted != null && accepted.contains("gzip");
    RouteAnswer answer =
        RouteAnswer.bytes(isPacked ? content.packed() : content.plain(), type)
            .header("Vary", "Accept, Accept-Encoding")
            .header("Referrer-Policy", "no-referrer");
    return isPacked ? answer.header("Content-Encoding", "gzip") : answer;
  }
}
