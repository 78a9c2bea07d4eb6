package dev.hapax.app.http;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

/** The answer of a route. */
public record Answer(int status, Body body, Map<String, String> headers) {
  public Answer {
    headers = Map.copyOf(headers);
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

    /** Returns whether the server is closing: a stream should return soon. */
    boolean isClosing();
  }

  public static Answer ok(Object value) {
    return new Answer(200, new Json(value), Map.of());
  }

  public static Answer created(Object value, String location) {
    return new Answer(201, new Json(value), Map.of("Location", location));
  }

  public static Answer of(int status, Object value) {
    return new Answer(status, new Json(value), Map.of());
  }

  public static Answer noContent() {
    return new Answer(204, new Empty(), Map.of());
  }

  public static Answer bytes(byte[] content, String contentType) {
    return new Answer(200, new Bytes(content, contentType), Map.of());
  }

  public static Answer text(String text, String contentType) {
    return bytes(text.getBytes(StandardCharsets.UTF_8), contentType);
  }

  public static Answer stream(Writer writer, String contentType) {
    return new Answer(200, new Stream(writer, contentType), Map.of());
  }

  /** Returns the same answer with another header. */
  public Answer header(String name, String value) {
    var more = new LinkedHashMap<>(headers);
    more.put(name, value);
    return new Answer(status, body, more);
  }

  /** Returns the same answer with another status. */
  public Answer status(int other) {
    return new Answer(other, body, headers);
  }
}
