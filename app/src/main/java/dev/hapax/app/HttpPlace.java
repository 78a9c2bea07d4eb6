package dev.hapax.app;

import dev.hapax.app.access.BrowserSessions;
import dev.hapax.app.config.Settings;
import dev.hapax.app.http.HostRule;
import dev.hapax.app.http.PeerLimits;
import dev.hapax.app.http.Server;
import dev.hapax.app.tls.TlsFiles;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Where a server listens, and the address at which others reach it. */
record HttpPlace(Settings.Http http) {
  private static final Logger log = LoggerFactory.getLogger(HttpPlace.class);

  /** Returns where people and other systems reach this server, without a slash at its end. */
  String publicAddress() {
    URI url = http.url();
    return url != null
        ? url.toString()
        : "%s://%s:%d".formatted(http.tls() == null ? "http" : "https", http.host(), http.port());
  }

  /** Returns the path prefix that callers use: that of a mount, or one that a proxy removes. */
  String base() {
    URI url = http.url();
    return url == null ? "" : url.getRawPath();
  }

  /** Returns where browsers reach this server. */
  BrowserSessions.Place forBrowsers() {
    URI address = URI.create(publicAddress());
    return new BrowserSessions.Place(
        base(),
        String.valueOf(address.getRawAuthority()).toLowerCase(Locale.ROOT),
        "https".equals(address.getScheme()));
  }

  /** Whether a browser's page of this origin is our own: one of a host that we serve. */
  boolean isOwn(String origin) {
    try {
      String host = URI.create(origin).getHost();
      return host != null && hosts().takes(host);
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  private HostRule hosts() {
    return HostRule.of(http.host(), names());
  }

  private List<String> names() {
    List<String> names = new ArrayList<>(http.hosts());
    URI url = http.url();
    if (url != null) {
      names.add(url.getHost());
    }
    return names;
  }

  /**
   * Returns the place of a server that listens by itself.
   *
   * @param drainWithin how long open requests may take when it stops
   */
  Server.Place listening(Duration drainWithin) {
    List<String> names = names();
    var hosts = hosts();
    if (names.isEmpty() && hosts.takesAddresses()) {
      log.warn(
          "requests may ask for this server by address only: to be reached by a name, set http.url"
              + " or http.hosts");
    }
    Settings.Connections limits = http.connections();
    int most = Objects.requireNonNullElse(limits.most(), PeerLimits.usualConnections());
    Settings.Tls tls = http.tls();
    return Server.Place.at(http.host(), http.port())
        .hosts(hosts)
        .drainWithin(drainWithin)
        .limits(
            new PeerLimits(
                most, Objects.requireNonNullElse(limits.perAddress(), most / 2), limits.silence()))
        .tls(
            tls == null
                ? null
                : new TlsFiles(
                    tls.certificate(), tls.key(), tls.clientCa(), tls.clientsRequired()));
  }
}
