package dev.hapax.app.http;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The answer of a route.
 *
 * @param cookies further headers Set-Cookie: an answer may have several of them
 */
public record RouteAnswer(
    int status, Body body, Map<String, String> headers, List<String> cookies) {
  public RouteAnswer {
    headers = Map.copyOf(headers);
    cookies = List.copyOf(cookies);
  }

  RouteAnswer(int status, Body body, Map<String, String> headers) {
    this(status, body, headers, List.of());
  }

  /** The part after the headers. */
  public sealed interface Body {}

  /** No body at all. */
  record Empty() implements Body {}

  /** A value that is written as JSON. */
  public record Json(Object value) implements Body {}

  /** Bytes as they are. */
  @SuppressWarnings("ArrayRecordComponent") // written to the socket, never compared
  public record Bytes(byte[] content, String contentType) implements Body {}

  /** Texts that are sent one after the other until the writer returns or the peer disconnects. */
  public record Stream(Writer writer, String contentType) implements Body {}

  /** Writes to a peer that reads a stream. */
  @FunctionalInterface
  public interface Writer {
    void write(Sink sink) throws Exception;
  }

  /** The receiver of a stream. */
  public interface Sink {
    /** Sends the text now; throws IOException if the peer has disconnected. */
    void send(String text) throws java.io.IOException;

    /** Sends the value as JSON, written piece by piece: no text of the whole is made. */
    void sendJson(Object value) throws java.io.IOException;

    /** Returns whether the server is closing: a stream should return soon. */
    boolean isClosing();
  }

  public static RouteAnswer ok(Object value) {
    return new RouteAnswer(200, new Json(value), Map.of());
  }

  public static RouteAnswer created(Object value, String location) {
    return new RouteAnswer(201, new Json(value), Map.of("Location", location));
  }

  public static RouteAnswer of(int status, Object value) {
    return new RouteAnswer(status, new Json(value), Map.of());
  }

  public static RouteAnswer noContent() {
    return new RouteAnswer(204, new Empty(), Map.of());
  }

  /** Sends a browser to another address, or to a path of this server. */
  public static RouteAnswer seeOther(String location) {
    return new RouteAnswer(303, new Empty(), Map.of("Location", location));
  }

  public static RouteAnswer bytes(byte[] content, String contentType) {
    return new RouteAnswer(200, new Bytes(content, contentType), Map.of());
  }

  public static RouteAnswer text(String text, String contentType) {
    return bytes(text.getBytes(StandardCharsets.UTF_8), contentType);
  }

  public static RouteAnswer stream(Writer writer, String contentType) {
    return new RouteAnswer(200, new Stream(writer, contentType), Map.of());
  }

  /** Returns the same answer with another header. */
  public RouteAnswer header(String name, String value) {
    var more = new LinkedHashMap<>(headers);
    more.put(name, value);
    return new RouteAnswer(status, body, more, cookies);
  }

  /** Returns the same answer, which also makes a browser keep or forget a cookie. */
  public RouteAnswer cookie(String value) {
    var more = new ArrayList<>(cookies);
    more.add(value);
    return new RouteAnswer(status, body, headers, more);
  }

  /** Returns the same answer with another status. */
  public RouteAnswer status(int other) {
    return new RouteAnswer(other, body, headers, cookies);
  }
}
