package dev.hapax.app;

import dev.hapax.app.config.Settings;
import dev.hapax.store.Store;
import dev.hapax.store.StoreProvider;
import dev.hapax.time.Threads;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Opens the store that the settings name: a file in the server's folder, or a database. */
final class StoreOfSettings {
  private StoreOfSettings() {}

  /**
   * Opens the store.
   *
   * @param database the program's own connections, instead of those in the settings; null for none
   */
  static Store open(Settings settings, @Nullable DataSource database, Threads threads) {
    String url = settings.store().url();
    if (database != null) {
      if (url != null) {
        throw new IllegalArgumentException(
            "store.url is set, and the program also passes its own connections. Use only one of them");
      }
      return StoreProvider.open(provider -> provider.open(database, threads));
    }
    if (url == null) {
      Path file = settings.data().resolve("hapax.db");
      return StoreProvider.open(provider -> provider.open(file, threads));
    }
    String address = withCredentials(url, settings.store());
    return StoreProvider.open(provider -> provider.open(address, threads));
  }

  private static String withCredentials(String url, Settings.Store store) {
    var address = new StringBuilder(url);
    append(address, "user", store.user());
    append(address, "password", store.password());
    return address.toString();
  }

  private static void append(StringBuilder address, String name, @Nullable String value) {
    if (value != null) {
      address
          .append(address.indexOf("?") < 0 ? '?' : '&')
          .append(name)
          .append('=')
          .append(URLEncoder.encode(value, StandardCharsets.UTF_8));
    }
  }
}
