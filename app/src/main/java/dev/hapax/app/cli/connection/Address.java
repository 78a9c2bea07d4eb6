package dev.hapax.app.cli.connection;

import dev.hapax.app.cli.output.Refusal;
import java.net.URI;
import java.net.URISyntaxException;
import org.jspecify.annotations.Nullable;

/** The address of a server: {@code http(s)://host[:port][/prefix]}, without a slash at its end. */
public record Address(URI uri) {
  static final Address USUAL = of("http://127.0.0.1:8899");

  public static Address of(String text) {
    try {
      var uri = new URI(text.replaceFirst("/+$", ""));
      if (isHttp(uri.getScheme())
          && uri.getHost() != null
          && uri.getRawQuery() == null
          && uri.getRawUserInfo() == null) {
        return new Address(uri);
      }
    } catch (URISyntaxException _) {
      // The same message for both.
    }
    throw Refusal.usage("expected an address like http://127.0.0.1:8899, got '%s'".formatted(text));
  }

  private static boolean isHttp(@Nullable String scheme) {
    return "http".equals(scheme) || "https".equals(scheme);
  }

  URI resolve(String path) {
    return URI.create(uri + path);
  }

  @Override
  public String toString() {
    return uri.toString();
  }
}
