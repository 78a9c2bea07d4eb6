package dev.hapax.app.dev;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitOption;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The YAML files of a folder and of the folders in it. Hidden files, the cases of {@code hapax
 * test} and links that lead out of the folder are left out. A file that vanishes while it is read
 * is not there. Safe for many threads.
 */
final class DevFiles {
  private static final int DEEPEST = 8;
  private static final int MOST_FILES = 2_000;
  private static final long MOST_BYTES = 1 << 20;

  private final Path root;

  DevFiles(Path root) {
    this.root = root;
  }

  /** Returns the files in the order of their names. */
  List<DevFile> read() throws IOException {
    var files = new ArrayList<DevFile>();
    for (Path file : list().files()) {
      DevFile read = read(file);
      if (read != null) {
        files.add(read);
      }
    }
    files.sort(Comparator.comparing(DevFile::name));
    return files;
  }

  /** Returns something that differs if a file was written, added or removed; reads no file. */
  Map<String, String> stamps() throws IOException {
    var stamps = new TreeMap<String, String>();
    for (Path file : list().files()) {
      try {
        BasicFileAttributes now = Files.readAttributes(file, BasicFileAttributes.class);
        stamps.put(
            name(file), "%s %d %s".formatted(now.lastModifiedTime(), now.size(), now.fileKey()));
      } catch (IOException e) {
        stamps.put(name(file), "gone"); // between the two looks
      }
    }
    return stamps;
  }

  /** Returns the folder and all folders in it. */
  List<Path> folders() throws IOException {
    return list().folders();
  }

  private record Listing(List<Path> folders, List<Path> files) {}

  private Listing list() throws IOException {
    var found = new Listing(new ArrayList<>(), new ArrayList<>());
    Files.walkFileTree(
        root,
        EnumSet.noneOf(FileVisitOption.class),
        DEEPEST,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
            if (!folder.equals(root) && isHidden(folder)) {
              return FileVisitResult.SKIP_SUBTREE;
            }
            found.folders().add(folder);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            if (isWanted(file) && !attributes.isDirectory()) {
              found.files().add(file);
            }
            return found.files().size() < MOST_FILES
                ? FileVisitResult.CONTINUE
                : FileVisitResult.TERMINATE;
          }

          @Override
          public FileVisitResult visitFileFailed(Path file, IOException problem)
              throws IOException {
            if (file.equals(root)) {
              throw problem;
            }
            return FileVisitResult.CONTINUE; // it vanished, or is closed to us: others are not
          }

          @Override
          public FileVisitResult postVisitDirectory(Path folder, @Nullable IOException problem) {
            return FileVisitResult.CONTINUE;
          }
        });
    return found;
  }

  private static boolean isHidden(Path path) {
    return path.getFileName().toString().startsWith(".");
  }

  private static boolean isWanted(Path file) {
    String name = file.getFileName().toString();
    return !isHidden(file)
        && (name.endsWith(".yaml") || name.endsWith(".yml"))
        && !name.endsWith(".test.yaml")
        && !name.endsWith(".test.yml");
  }

  private @Nullable DevFile read(Path file) {
    String name = name(file);
    try {
      if (!file.toRealPath().startsWith(root.toRealPath())) {
        return DevFile.unreadable(name, "it is a link that leads out of the folder");
      }
      if (!Files.isRegularFile(file)) {
        return DevFile.unreadable(name, "it is not a file");
      }
      if (Files.size(file) > MOST_BYTES) {
        return DevFile.unreadable(name, "it has more than 1 MB");
      }
      byte[] bytes = Files.readAllBytes(file);
      return DevFile.of(
          name, StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString());
    } catch (NoSuchFileException e) {
      return Files.isSymbolicLink(file)
          ? DevFile.unreadable(name, "it is a link to nothing")
          : null;
    } catch (CharacterCodingException e) {
      return DevFile.unreadable(name, "it is not UTF-8 text");
    } catch (IOException e) {
      return DevFile.unreadable(name, "it cannot be read: " + e.getMessage());
    }
  }

  private String name(Path file) {
    return root.relativize(file).toString().replace('\\', '/');
  }
}
