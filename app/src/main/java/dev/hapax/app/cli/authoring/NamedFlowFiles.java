package dev.hapax.app.cli.authoring;

import dev.hapax.app.cli.output.Exit;
import dev.hapax.app.cli.output.Refusal;
import dev.hapax.app.cli.output.Surroundings;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * The flow files that a user names: files, and all below folders. Links are not followed, so that
 * nothing outside of the folder is reached.
 */
final class NamedFlowFiles {
  private static final int LARGEST = 1 << 20;

  /** Also of a file that cannot be parsed, so that its syntax errors are reported. */
  private static final Pattern FLOW = Pattern.compile("(?m)^(\"?flow\"?|'flow') *:");

  private NamedFlowFiles() {}

  static List<String> files(List<String> names, Surroundings surroundings) throws IOException {
    var files = new ArrayList<String>();
    for (String name : names) {
      Path path = surroundings.path(name);
      if (Files.isSymbolicLink(path)) {
        throw Refusal.of(Exit.REFUSED, "symbolic-link", "'%s' is a symbolic link".formatted(name))
            .hint("name the file or folder that it points to");
      }
      if (Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
        below(path, Path.of(name), files);
      } else {
        files.add(name);
      }
    }
    return files.stream().distinct().toList();
  }

  private static void below(Path folder, Path name, List<String> files) throws IOException {
    var found = new ArrayList<Path>();
    Files.walkFileTree(
        folder,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path inner, BasicFileAttributes attributes) {
            return !inner.equals(folder) && isHidden(inner)
                ? FileVisitResult.SKIP_SUBTREE
                : FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            if (attributes.isRegularFile() && isYaml(file) && attributes.size() <= LARGEST) {
              found.add(file);
            }
            return FileVisitResult.CONTINUE;
          }
        });
    for (Path file : found.stream().sorted().toList()) {
      String text = new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
      if (FLOW.matcher(text).find()) {
        files.add(name.resolve(folder.relativize(file)).toString());
      }
    }
  }

  private static boolean isHidden(Path path) {
    return path.getFileName().toString().startsWith(".");
  }

  /** Cases are YAML too, and may name their flow. */
  private static boolean isYaml(Path file) {
    String name = file.getFileName().toString().toLowerCase(Locale.ROOT);
    return !isHidden(file)
        && (name.endsWith(".yaml") || name.endsWith(".yml"))
        && !name.matches(".*\\.test\\.ya?ml");
  }
}
