package dev.hapax.app.ui;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.stream.Collectors;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;

/**
 * The files of the web UI. A file is found only by a name of their list, so no path leads out of
 * their folder. Read at the first request and kept; those of a folder are read every time.
 */
final class WebFiles {
  private static final String LIST = "files.txt";
  private static final String PAGE = "index.html";

  /** Names a folder whose files are shown as they are now, while one works on the pages. */
  private static final String FOLDER = "hapax.ui";

  private final Source source;
  private final boolean isFixed;
  private final ConcurrentMap<String, Content> known = new ConcurrentHashMap<>();

  /** Where the files are. */
  @FunctionalInterface
  private interface Source {
    /** Returns null if there is none of this name. */
    byte @Nullable [] read(String name) throws IOException;
  }

  /** A file, also packed by gzip. */
  @SuppressWarnings("ArrayRecordComponent") // written to sockets, never compared
  record Content(byte[] plain, byte[] packed) {
    static Content of(byte[] plain) {
      var packed = new ByteArrayOutputStream();
      try (var out = new GZIPOutputStream(packed)) {
        out.write(plain);
      } catch (IOException e) {
        throw new UncheckedIOException(e); // in memory
      }
      return new Content(plain, packed.toByteArray());
    }
  }

  private WebFiles(Source source, boolean isFixed) {
    this.source = source;
    this.isFixed = isFixed;
  }

  /** Returns the files in the program, or those of the folder that a system property names. */
  static WebFiles ofProgram() {
    String folder = System.getProperty(FOLDER);
    return folder == null
        ? new WebFiles(WebFiles::resource, true)
        : new WebFiles(name -> inFolder(Path.of(folder), name), false);
  }

  private static byte @Nullable [] resource(String name) throws IOException {
    try (InputStream in = WebFiles.class.getResourceAsStream("/dev/hapax/ui/" + name)) {
      return in == null ? null : in.readAllBytes();
    }
  }

  private static byte @Nullable [] inFolder(Path folder, String name) throws IOException {
    Path file = folder.resolve(name);
    return Files.exists(file) ? Files.readAllBytes(file) : null;
  }

  /** Returns whether the name of a file changes with its content. */
  boolean areFixed() {
    return isFixed;
  }

  /** Returns null if there is no such file. */
  @Nullable Content find(String name) {
    Content kept = known.get(name);
    if (kept != null) {
      return kept;
    }
    return names().contains(name) ? read(name, Map.of()) : null;
  }

  /** Returns the page with these values in it; null if the program was built without the web UI. */
  @Nullable Content page(Map<String, String> values) {
    Content kept = known.get(PAGE);
    return kept != null ? kept : read(PAGE, values);
  }

  private Set<String> names() {
    byte[] list = bytes(LIST);
    return list == null
        ? Set.of()
        : new String(list, StandardCharsets.UTF_8).lines().collect(Collectors.toSet());
  }

  private @Nullable Content read(String name, Map<String, String> values) {
    byte[] bytes = bytes(name);
    if (bytes == null) {
      return null;
    }
    Content content = Content.of(name.equals(PAGE) ? filled(bytes, values) : bytes);
    if (isFixed) {
      known.put(name, content);
    }
    return content;
  }

  /** All come from the operator and the build, and hold no characters of markup. */
  private static byte[] filled(byte[] page, Map<String, String> values) {
    String text = new String(page, StandardCharsets.UTF_8);
    for (Map.Entry<String, String> value : values.entrySet()) {
      text = text.replace("{" + value.getKey() + "}", value.getValue());
    }
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private byte @Nullable [] bytes(String name) {
    try {
      return source.read(name);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
