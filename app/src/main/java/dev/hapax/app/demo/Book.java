package dev.hapax.app.demo;

import dev.hapax.json.Json;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Records what really happened outside, one line per event, synced before the caller gets its
 * answer: the oracle of the demo. Safe for many threads.
 */
final class Book implements AutoCloseable {
  private final FileChannel channel;
  private final List<Entry> entries = new ArrayList<>();
  private final Map<String, Entry> byKey = new HashMap<>();

  /** One event caused by an order. */
  record Entry(String id, Happening kind, String order, String key) {}

  Book(Path file) throws IOException {
    channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    channel.truncate(readBack(file));
    channel.position(channel.size());
  }

  /**
   * Returns where the last whole line ends. A kill can leave half a line; no caller has seen it, so
   * it is cut off.
   */
  private long readBack(Path file) throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    int start = 0;
    for (int i = 0; i < bytes.length; i++) {
      if (bytes[i] == '\n') {
        remember(
            Json.read(new String(bytes, start, i - start, StandardCharsets.UTF_8), Entry.class));
        start = i + 1;
      }
    }
    return start;
  }

  private void remember(Entry entry) {
    entries.add(entry);
    byKey.putIfAbsent(entry.key, entry);
  }

  synchronized Entry write(Happening kind, String order, String key) throws IOException {
    var entry = new Entry(kind.effect() + "-" + (entries.size() + 1), kind, order, key);
    var line = ByteBuffer.wrap((Json.write(entry) + "\n").getBytes(StandardCharsets.UTF_8));
    while (line.hasRemaining()) {
      channel.write(line);
    }
    channel.force(false);
    remember(entry);
    return entry;
  }

  /**
   * Writes unless the key exists. Look and write are one step, or two calls at once would both find
   * nothing.
   */
  synchronized Entry writeOnce(Happening kind, String order, String key) throws IOException {
    Entry first = byKey.get(key);
    return first == null ? write(kind, order, key) : first;
  }

  synchronized List<Entry> find(Happening kind, String order) {
    return entries.stream().filter(e -> e.kind == kind && e.order.equals(order)).toList();
  }

  /** Counts each kind of event of the orders whose id begins with this prefix. */
  synchronized Map<Happening, Integer> count(String orderPrefix) {
    var counts = new EnumMap<Happening, Integer>(Happening.class);
    for (Entry entry : entries) {
      if (entry.order.startsWith(orderPrefix)) {
        counts.merge(entry.kind, 1, Integer::sum);
      }
    }
    return counts;
  }

  synchronized List<Entry> entries() {
    return List.copyOf(entries);
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
