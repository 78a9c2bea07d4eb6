package dev.hapax.app.cli.folder;

import dev.hapax.app.cli.output.Exit;
import dev.hapax.app.cli.output.Refusal;
import dev.hapax.json.Digest;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * The folder that an export writes. Each file is replaced in one step, so an interrupted export
 * leaves no half file; nothing is written through a link.
 */
final class ExportFolder {
  private static final int LONGEST_NAME = 100;
  private static final int DIGITS = 8;
  private static final Set<String> RESERVED = Set.of("con", "prn", "aux", "nul");

  private final Path folder;
  private final boolean force;

  ExportFolder(Path folder, boolean force) {
    this.folder = folder;
    this.force = force;
  }

  /** Names files. */
  @FunctionalInterface
  interface Naming {
    String file(String name, Set<String> used);
  }

  /** Refuses a folder with files of someone else, before anything is asked. */
  void refuseUnusable(String typed) throws IOException {
    if (!Files.exists(folder, LinkOption.NOFOLLOW_LINKS)) {
      return;
    }
    if (!Files.isDirectory(folder)) {
      throw Refusal.of(Exit.REFUSED, "not-a-folder", "'%s' is not a folder".formatted(typed));
    }
    try (Stream<Path> files = Files.list(folder)) {
      if (!force && files.findAny().isPresent()) {
        throw Refusal.of(Exit.REFUSED, "not-empty", "'%s' is not empty".formatted(typed))
            .hint("name another folder, or add --force to replace files of the same names");
      }
    }
  }

  /**
   * Writes a file per name below a folder of this one, or in this one; returns the names of the
   * files.
   *
   * @param naming the name of a file, given the name of its content and the files so far
   */
  List<String> write(String kind, SortedMap<String, String> texts, Naming naming)
      throws IOException {
    if (texts.isEmpty()) {
      return List.of();
    }
    Path below = folder.resolve(kind);
    Files.createDirectories(folder);
    if (Files.isSymbolicLink(below)) {
      throw Refusal.of(
              Exit.REFUSED, "link", "'%s' is a link; an export does not follow it".formatted(below))
          .hint("remove it, or name another folder");
    }
    Files.createDirectories(below);
    var files = new ArrayList<String>();
    var used = new TreeSet<String>();
    for (Map.Entry<String, String> text : texts.entrySet()) {
      String name = naming.file(text.getKey(), used);
      Path part = Files.createTempFile(below, ".", ".part");
      try {
        Files.writeString(part, text.getValue(), StandardCharsets.UTF_8);
        Files.move(
            part,
            below.resolve(name),
            StandardCopyOption.ATOMIC_MOVE,
            StandardCopyOption.REPLACE_EXISTING);
      } finally {
        Files.deleteIfExists(part);
      }
      files.add(kind.isEmpty() ? name : kind + "/" + name);
    }
    return files;
  }

  /**
   * Returns a file name that every system takes. Names that differ only in what such a name cannot
   * show get a part of their hash.
   */
  static String fileName(String name, Set<String> used) {
    String plain = name.replaceAll("[^A-Za-z0-9._-]", "-").replaceFirst("^\\.+", "");
    boolean isPlain =
        plain.equals(name)
            && plain.length() <= LONGEST_NAME
            && !plain.endsWith(".")
            && !plain.endsWith(".test")
            && !RESERVED.contains(plain.toLowerCase(Locale.ROOT));
    String shown =
        isPlain && used.add(plain.toLowerCase(Locale.ROOT))
            ? plain
            : plain.substring(0, Math.min(plain.length(), LONGEST_NAME))
                + "-"
                + HexFormat.of().formatHex(Digest.sha256(name)).substring(0, DIGITS);
    used.add(shown.toLowerCase(Locale.ROOT));
    return shown + ".yaml";
  }
}
