package dev.hapax.app.config;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a server.
 *
 * @param data its folder: the store, unless that is a database, and the first token
 */
public record Settings(
    Path data,
    Http http,
    Store store,
    Engine engine,
    Log log,
    Traces traces,
    Duration shutdownWithin) {

  /**
   * The addresses and limits of the HTTP server.
   *
   * @param port 0 for one that is free
   * @param url where people and other systems reach it; null: where it listens
   * @param hosts names that a request may ask for beside the one it listens on
   * @param requestsPerToken a second, on each node, of a token without its own limit; null for no
   *     limit
   * @param requestsPerAddress a second, on each node; null for no limit
   */
  public record Http(
      String host,
      int port,
      @Nullable URI url,
      List<String> hosts,
      @Nullable Integer requestsPerToken,
      @Nullable Integer requestsPerAddress) {
    public Http {
      hosts = List.copyOf(hosts);
    }
  }

  /**
   * The location of the store.
   *
   * @param url of a PostgreSQL database; null for a file in the data folder
   * @param failoversLoseNothing whether a standby that takes over has everything that was
   *     acknowledged
   * @param copySends the id of the copy whose steps without a connection may send; null for none
   */
  public record Store(
      @Nullable String url,
      @Nullable String user,
      @Nullable String password,
      boolean failoversLoseNothing,
      @Nullable Long copySends) {
    @Override
    public String toString() {
      return "Store[url=" + (url == null ? "a file" : "a database") + "]"; // never a password
    }
  }

  /** The capacity and retention of the engine. */
  public record Engine(int runsInMemory, Duration tombstones, Duration events) {}

  /** The format and level of the log. */
  public record Log(String format, String level) {}

  /**
   * The export of traces.
   *
   * @param url a collector's address for OTLP over HTTP; null for no export
   * @param headers that the collector wants, for example a credential
   * @param share how many of all traces are exported, from 0 to 1
   * @param every how often they are sent
   */
  public record Traces(
      @Nullable URI url, Map<String, String> headers, double share, Duration every) {
    public Traces {
      headers = Map.copyOf(headers);
    }

    @Override
    public String toString() {
      return "Traces[url=" + (url == null ? "none" : "a collector") + "]"; // never a credential
    }
  }
}
