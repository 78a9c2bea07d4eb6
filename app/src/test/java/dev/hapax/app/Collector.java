package dev.hapax.app;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** Takes spans as OTLP over HTTP, and keeps every byte that it was sent. */
final class Collector implements AutoCloseable {
  private static final HexFormat HEX = HexFormat.of();

  private final HttpServer server;
  private final List<Span> spans = new CopyOnWriteArrayList<>();
  private final List<String> raw = new CopyOnWriteArrayList<>();

  /** A span, as far as tests look at it. */
  record Span(
      String trace,
      String id,
      String parent,
      String name,
      List<String> links,
      Map<String, String> attributes) {}

  Collector() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/v1/traces",
        exchange -> {
          byte[] body = exchange.getRequestBody().readAllBytes();
          raw.add(new String(body, StandardCharsets.ISO_8859_1));
          raw.add(exchange.getRequestHeaders().getOrDefault("X-Credential", List.of()).toString());
          read(body);
          exchange.getResponseHeaders().set("Content-Type", "application/x-protobuf");
          exchange.sendResponseHeaders(200, -1);
          exchange.close();
        });
    server.start();
  }

  String address() {
    return "http://127.0.0.1:%d/v1/traces".formatted(server.getAddress().getPort());
  }

  List<Span> spans() {
    return spans;
  }

  /** Everything that came. */
  String everything() {
    return String.join("\n", raw);
  }

  /** ExportTraceServiceRequest: resource_spans = 1, in it scope_spans = 2, in it spans = 2. */
  private void read(byte[] request) {
    for (byte[] resource : fields(request, 1)) {
      for (byte[] scope : fields(resource, 2)) {
        for (byte[] span : fields(scope, 2)) {
          spans.add(
              new Span(
                  hex(fields(span, 1)),
                  hex(fields(span, 2)),
                  hex(fields(span, 4)),
                  new String(fields(span, 5).getFirst(), StandardCharsets.UTF_8),
                  fields(span, 13).stream().map(link -> hex(fields(link, 1))).toList(),
                  attributes(fields(span, 9))));
        }
      }
    }
  }

  /** KeyValue: key = 1, value = 2. */
  private static Map<String, String> attributes(List<byte[]> pairs) {
    var attributes = new TreeMap<String, String>();
    for (byte[] pair : pairs) {
      attributes.put(
          new String(fields(pair, 1).getFirst(), StandardCharsets.UTF_8),
          value(fields(pair, 2).getFirst()));
    }
    return attributes;
  }

  /** AnyValue: string = 1, bool = 2, int = 3, double = 4, array = 5 with values = 1. */
  private static String value(byte[] any) {
    var buffer = ByteBuffer.wrap(any).order(ByteOrder.LITTLE_ENDIAN);
    return switch ((int) (varint(buffer) >> 3)) {
      case 1 -> new String(fields(any, 1).getFirst(), StandardCharsets.UTF_8);
      case 2, 3 -> String.valueOf(varint(buffer));
      case 4 -> String.valueOf(buffer.getDouble());
      case 5 ->
          fields(fields(any, 5).getFirst(), 1).stream().map(Collector::value).toList().toString();
      default -> "unknown";
    };
  }

  private static String hex(List<byte[]> field) {
    return field.isEmpty() ? "" : HEX.formatHex(field.getFirst());
  }

  /** The fields of this number in a message of Protocol Buffers that have a length. */
  private static List<byte[]> fields(byte[] message, int number) {
    List<byte[]> found = new ArrayList<>();
    var buffer = ByteBuffer.wrap(message).order(ByteOrder.LITTLE_ENDIAN);
    while (buffer.hasRemaining()) {
      long tag = varint(buffer);
      switch ((int) (tag & 7)) {
        case 0 -> varint(buffer);
        case 1 -> buffer.getLong();
        case 2 -> {
          byte[] content = new byte[(int) varint(buffer)];
          buffer.get(content);
          if (tag >> 3 == number) {
            found.add(content);
          }
        }
        default -> buffer.getInt();
      }
    }
    return found;
  }

  private static long varint(ByteBuffer buffer) {
    long value = 0;
    for (int shift = 0; ; shift += 7) {
      byte part = buffer.get();
      value |= (long) (part & 0x7f) << shift;
      if (part >= 0) {
        return value;
      }
    }
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
