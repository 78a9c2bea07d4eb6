package dev.hapax.trial.recording;

import dev.hapax.trial.sandbox.SandboxAnswer;
import dev.hapax.trial.sandbox.SandboxRequest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The recordings of a folder of flows: {@code recordings/CONNECTION.json}, and {@code
 * recordings/hosts/HOST_PORT.json} for steps with a whole address. A file that has changed is read
 * again. Safe for many threads.
 */
public final class Recordings {
  /** The folder in the folder of the flows. */
  public static final String FOLDER = "recordings";

  private final Path root;
  private final boolean isThere;
  private final Map<Path, Known> known = new HashMap<>(); // guarded by this

  /** A file as it was read; without content if it cannot be read. */
  private record Known(String stamp, @Nullable RecordingFile file, @Nullable String problem) {}

  /** The recordings of a folder, which need not be there. */
  public Recordings(Path flows) {
    this(flows, true);
  }

  private Recordings(Path flows, boolean isThere) {
    this.root = flows.resolve(FOLDER);
    this.isThere = isThere;
  }

  /** The recordings of flows that are in no folder: reads no file, and has none. */
  public static Recordings none() {
    return new Recordings(Path.of(""), false);
  }

  /** Returns the file of a destination. */
  Path fileOf(@Nullable String connection, String url) {
    if (connection != null) {
      return root.resolve(connection + ".json");
    }
    return root.resolve("hosts").resolve(hostOf(url).replace(':', '_') + ".json");
  }

  /** Returns the name of a destination. */
  static String destination(@Nullable String connection, String url) {
    return connection == null ? hostOf(url) : connection;
  }

  private static String hostOf(String url) {
    URI address = URI.create(url);
    int port = address.getPort();
    int usual = "https".equals(address.getScheme()) ? 443 : 80;
    String host =
        String.valueOf(address.getHost()).toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9._-]+", "-");
    return host + ":" + (port < 0 ? usual : port);
  }

  /** Returns what people call a file. */
  String shown(Path file) {
    return FOLDER + "/" + root.relativize(file).toString().replace('\\', '/');
  }

  /**
   * Returns the content of a file; null if there is none.
   *
   * @throws IOException if it is there and cannot be read; the message names it
   */
  synchronized @Nullable RecordingFile read(Path file) throws IOException {
    String stamp = isThere ? stampOf(file) : null;
    if (stamp == null) {
      known.remove(file);
      return null;
    }
    Known last = known.get(file);
    if (last == null || !last.stamp().equals(stamp)) {
      last = freshlyRead(file, stamp);
      known.put(file, last);
    }
    if (last.problem() != null) {
      throw new IOException(last.problem());
    }
    return last.file();
  }

  private Known freshlyRead(Path file, String stamp) {
    try {
      if (!file.toRealPath().startsWith(root.resolveSibling("").toRealPath())) {
        throw new IOException("leads out of the folder of the flows");
      }
      return new Known(stamp, RecordingFile.read(file), null);
    } catch (IOException e) {
      return new Known(stamp, null, "%s %s".formatted(shown(file), e.getMessage()));
    }
  }

  private static @Nullable String stampOf(Path file) throws IOException {
    try {
      var now = Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
      return "%s %d %s".formatted(now.lastModifiedTime(), now.size(), now.fileKey());
    } catch (NoSuchFileException e) {
      return null;
    }
  }

  /** Writes a file, which this has read before. */
  synchronized void write(Path file, RecordingFile content) throws IOException {
    if (Files.isSymbolicLink(root) || Files.isSymbolicLink(file.resolveSibling(""))) {
      throw new IOException(FOLDER + " is a link: recordings stay in the folder of the flows");
    }
    content.write(file);
    String stamp = stampOf(file);
    if (stamp != null) {
      known.put(file, new Known(stamp, content, null));
    }
  }

  /**
   * Returns the recorded answers to a request in their order; the last one repeats. None if no
   * recording fits, or if its file cannot be read.
   */
  public List<SandboxAnswer> answersTo(SandboxRequest request) {
    try {
      Found found = find(request);
      return found == null || found.exchange() == null ? List.of() : answers(found.exchange());
    } catch (IOException e) {
      return List.of(); // problems() names it
    }
  }

  /**
   * What there is for a request.
   *
   * @param exchange null if the file has no answer to it
   */
  record Found(Path file, RecordedRequest asked, RecordingFile.@Nullable Exchange exchange) {}

  /** Returns null if the destination was never recorded, or if it is not asked over HTTP. */
  @Nullable Found find(SandboxRequest request) throws IOException {
    if (request.way() != SandboxRequest.Way.HTTP && request.way() != SandboxRequest.Way.MESSAGE) {
      return null;
    }
    Path file = fileOf(request.connection(), request.url());
    RecordingFile recording = read(file);
    if (recording == null) {
      return null;
    }
    RecordedRequest asked =
        RecordedRequest.of(
            new RecordedRequest.Sent(
                request.method(), request.url(), request.body(), request.from().wireKey()));
    return new Found(file, asked, recording.find(asked));
  }

  static List<SandboxAnswer> answers(RecordingFile.Exchange exchange) {
    var answers = new ArrayList<SandboxAnswer>();
    for (RecordedAnswer one : exchange.answers()) {
      SandboxAnswer answer = one.answer();
      for (int i = 0; i < Math.min(one.count(), 1_000); i++) {
        answers.add(answer);
      }
    }
    return answers;
  }

  /** Returns what keeps files from being read; each names its file. */
  public List<String> problems() {
    if (!Files.isDirectory(root, LinkOption.NOFOLLOW_LINKS)) {
      return List.of();
    }
    var problems = new ArrayList<String>();
    try (Stream<Path> files = Files.walk(root, 2)) {
      for (Path file : files.sorted().toList()) {
        String name = file.getFileName().toString();
        if (name.endsWith(".json") && !name.startsWith(".")) {
          try {
            var _ = read(file);
          } catch (IOException e) {
            problems.add(String.valueOf(e.getMessage()));
          }
        }
      }
    } catch (IOException | UncheckedIOException e) {
      problems.add("%s cannot be read: %s".formatted(FOLDER, e.getMessage()));
    }
    return problems;
  }
}
