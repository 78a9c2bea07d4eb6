package dev.hapax.app.cli.folder;

import dev.hapax.app.cli.output.Exit;
import dev.hapax.app.cli.output.Refusal;
import dev.hapax.flows.check.Finding;
import dev.hapax.flows.check.Level;
import dev.hapax.flows.expression.Position;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Reads the YAML files below a folder, and nothing outside of it. What cannot be read becomes a
 * finding; files and folders that begin with a dot are left out.
 */
final class FolderFiles extends SimpleFileVisitor<Path> {
  private static final int LARGEST = 1 << 20;
  private static final int LARGEST_OF_ALL = 7 << 20;
  private static final int MOST_FILES = 2_000;
  private static final int MOST_SEEN = 20_000;

  private final Path root;
  private final List<Finding> problems;
  private final SortedMap<String, String> texts = new TreeMap<>();
  private int seen;
  private long bytes;

  private FolderFiles(Path root, List<Finding> problems) {
    this.root = root;
    this.problems = problems;
  }

  /**
   * Returns the texts of the files, by their names from the folder on.
   *
   * @param problems gets what cannot be read
   */
  static SortedMap<String, String> read(Path folder, List<Finding> problems) throws IOException {
    if (!Files.isDirectory(folder)) {
      throw Refusal.of(
          Files.exists(folder) ? Exit.REFUSED : Exit.NOT_FOUND,
          "not-a-folder",
          "'%s' is not a folder".formatted(folder));
    }
    Path root = folder.toRealPath();
    var files = new FolderFiles(root, problems);
    Files.walkFileTree(root, files);
    return files.texts;
  }

  @Override
  public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
    count();
    return !folder.equals(root) && isHidden(folder)
        ? FileVisitResult.SKIP_SUBTREE
        : FileVisitResult.CONTINUE;
  }

  private static boolean isHidden(Path path) {
    return String.valueOf(path.getFileName()).startsWith(".");
  }

  @Override
  public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
    count();
    if (isHidden(file)) {
      return FileVisitResult.CONTINUE;
    }
    if (attributes.isSymbolicLink() && (isYaml(file) || Files.isDirectory(file))) {
      link(file);
    } else if (isYaml(file)) {
      if (attributes.isRegularFile()) {
        add(file, file);
      } else {
        problem(file, "is not a regular file", "Remove it, or put the file itself here.");
      }
    }
    return FileVisitResult.CONTINUE;
  }

  @Override
  public FileVisitResult visitFileFailed(Path file, IOException e) {
    problem(file, "cannot be read: " + reason(e), "Make it readable, or remove it.");
    return FileVisitResult.CONTINUE;
  }

  private void count() {
    if (++seen > MOST_SEEN) {
      throw Refusal.of(
              Exit.REFUSED,
              "too-many-files",
              "'%s' has more than %,d files".formatted(root, MOST_SEEN))
          .hint("name the folder of your flows, not one above it");
    }
  }

  private static boolean isYaml(Path file) {
    String name = String.valueOf(file.getFileName()).toLowerCase(Locale.ROOT);
    return name.endsWith(".yaml") || name.endsWith(".yml");
  }

  /** A link inside the folder is a file of it; one that leads out could deploy anything. */
  private void link(Path link) {
    Path target;
    try {
      target = link.toRealPath();
    } catch (IOException e) {
      problem(link, "is a link that leads nowhere", "Remove it, or put the file itself here.");
      return;
    }
    if (!target.startsWith(root)) {
      problem(
          link,
          "is a link that leads out of the folder, so it is not read",
          "Put the file itself here.");
    } else if (!Files.isRegularFile(target, LinkOption.NOFOLLOW_LINKS)) {
      problem(link, "is a link to something else than a file", "Remove it.");
    } else {
      add(link, target);
    }
  }

  private void add(Path name, Path file) {
    if (texts.size() == MOST_FILES) {
      throw Refusal.of(
          Exit.REFUSED,
          "too-many-files",
          "'%s' has more than %,d YAML files".formatted(root, MOST_FILES));
    }
    String text = text(name, file);
    if (text != null) {
      texts.put(nameOf(name), text);
    }
  }

  private @Nullable String text(Path name, Path file) {
    byte[] content;
    try (InputStream in = Files.newInputStream(file)) {
      content = in.readNBytes(LARGEST + 1);
    } catch (IOException e) {
      problem(name, "cannot be read: " + reason(e), "Make it readable, or remove it.");
      return null;
    }
    bytes += content.length;
    if (content.length > LARGEST) {
      problem(name, "is larger than 1 MB", "Split it, or put large values into resources.");
      return null;
    }
    if (bytes > LARGEST_OF_ALL) {
      throw Refusal.of(
          Exit.REFUSED,
          "too-large",
          "the YAML files in '%s' have more than %d MB together"
              .formatted(root, LARGEST_OF_ALL >> 20));
    }
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(content)).toString();
    } catch (CharacterCodingException e) {
      problem(name, "is not UTF-8 text", "Write it as UTF-8.");
      return null;
    }
  }

  private static String reason(IOException e) {
    String message = e.getMessage();
    return message == null ? e.getClass().getSimpleName() : message;
  }

  private String nameOf(Path file) {
    return root.relativize(file).toString().replace('\\', '/');
  }

  private void problem(Path file, String message, String fix) {
    problems.add(problem(nameOf(file), message, fix));
  }

  /** Returns a finding about a whole file. */
  static Finding problem(String file, String message, String fix) {
    return new Finding("folder", Level.ERROR, new Position(file, 1, 1), message, fix);
  }
}
