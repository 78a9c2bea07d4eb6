package dev.hapax.trial;

import dev.hapax.flows.check.Check;
import dev.hapax.flows.file.FlowFile;
import dev.hapax.flows.step.FlowStep;
import dev.hapax.trial.recording.Recordings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The flow files of a folder and the folders below it, read and checked once. Immutable, so many
 * trials can share it.
 */
public final class FlowFolder {
  /** The end of the name of a file with test cases, before its extension. */
  public static final String TEST = ".test";

  private static final Pattern IS_FLOW = Pattern.compile("(?m)^flow[ \t]*:");
  private static final long LARGEST_FILE = 1 << 20;
  private static final int MOST_FILES = 10_000;
  private static final int DEEPEST = 20;

  private final Path root;
  private final String shownAs;
  private final Recordings recordings;
  private final Map<String, Entry> flows = new LinkedHashMap<>();
  private final List<Path> tests = new ArrayList<>();
  private final List<String> problems = new ArrayList<>();

  /** A flow file, as it was checked. */
  public record Entry(Path path, Check.Result checked) {}

  private FlowFolder(Path root, String shownAs, Recordings recordings) {
    this.root = root;
    this.recordings = recordings;
    this.shownAs = shownAs;
  }

  /** Flows that are in no folder, such as the drafts of a server. */
  public static FlowFolder of(List<Check.Result> flows) {
    var made = new FlowFolder(Path.of(""), "", Recordings.none());
    for (Check.Result checked : flows) {
      FlowFile file = Objects.requireNonNull(checked.file());
      made.flows.put(file.name(), new Entry(Path.of(file.name() + ".yaml"), checked));
    }
    return made;
  }

  /**
   * Reads all flow files below a folder.
   *
   * @throws IOException if the folder cannot be listed
   */
  public static FlowFolder read(Path folder) throws IOException {
    return read(folder, folder.toString());
  }

  /**
   * As above.
   *
   * @param shownAs what people call the folder; empty or a point for the one that they are in
   */
  public static FlowFolder read(Path folder, String shownAs) throws IOException {
    var read = new FlowFolder(folder, shownAs.equals(".") ? "" : shownAs, new Recordings(folder));
    for (Path file : read.files()) {
      read.add(file);
    }
    read.problems.addAll(read.recordings.problems());
    return read;
  }

  /** Returns what people call a file of this folder. */
  public String shown(Path file) {
    String relative = root.relativize(file).toString();
    return shownAs.isEmpty() ? relative : Path.of(shownAs).resolve(relative).toString();
  }

  /** Returns the answers of destinations that were recorded. */
  public Recordings recordings() {
    return recordings;
  }

  /** Returns the files with test cases, in the order of their names. */
  public List<Path> tests() {
    return List.copyOf(tests);
  }

  /** Returns what keeps files from being read; each names its file. */
  public List<String> problems() {
    return List.copyOf(problems);
  }

  /** Returns the flows by name, with or without errors. */
  public Map<String, Entry> flows() {
    return Map.copyOf(flows);
  }

  /** Returns the flow of a name; null if there is none, or if it has errors. */
  public @Nullable FlowFile file(String name) {
    Entry entry = flows.get(name);
    return entry == null || entry.checked().hasErrors() ? null : entry.checked().file();
  }

  /** Returns the flow that a file holds; null if it holds none. */
  public @Nullable Entry in(Path path) {
    return flows.values().stream()
        .filter(entry -> entry.path().equals(path))
        .findFirst()
        .orElse(null);
  }

  /** Returns a flow, and all flows that its runs can start, by name. */
  public List<Entry> with(String name) {
    Set<String> names = new LinkedHashSet<>();
    collect(name, names);
    return names.stream().map(flows::get).filter(Objects::nonNull).toList();
  }

  private void collect(String name, Set<String> names) {
    FlowFile file = file(name);
    if (file == null || !names.add(name)) {
      return;
    }
    for (FlowStep step : file.allSteps()) {
      step.kind().startedFlows().forEach(child -> collect(child, names));
    }
    file.notifiedFlows().forEach(told -> collect(told, names));
  }

  private List<Path> files() throws IOException {
    try (Stream<Path> all = Files.walk(root, DEEPEST)) {
      List<Path> files =
          all.filter(path -> isYaml(path) && !isHidden(path))
              .sorted()
              .limit(MOST_FILES + 1)
              .toList();
      if (files.size() > MOST_FILES) {
        throw new IOException("'%s' has more than %,d YAML files".formatted(shownAs, MOST_FILES));
      }
      return files;
    } catch (UncheckedIOException e) {
      throw new IOException("'%s' cannot be read: %s".formatted(shownAs, e.getMessage()), e);
    }
  }

  private static boolean isYaml(Path path) {
    String name = path.getFileName().toString();
    return name.endsWith(".yaml") || name.endsWith(".yml");
  }

  private boolean isHidden(Path path) {
    for (Path part : root.relativize(path)) {
      if (part.toString().startsWith(".")) {
        return true;
      }
    }
    return false;
  }

  private void add(Path file) {
    if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
      problems.add(
          "%s is not a file: links and folders with such a name are not read"
              .formatted(shown(file)));
      return;
    }
    if (isTest(file)) {
      tests.add(file);
      return;
    }
    String text = text(file);
    if (text == null || !IS_FLOW.matcher(text).find()) {
      return;
    }
    Check.Result checked = Check.check(shown(file), text);
    FlowFile flow = checked.file();
    String name = flow == null ? shown(file) : flow.name();
    Entry first = flows.putIfAbsent(name, new Entry(file, checked));
    if (first != null) {
      problems.add(
          "%s: flow '%s' is already in %s".formatted(shown(file), name, shown(first.path())));
    }
  }

  /** Whether a file holds test cases, by its name. */
  public static boolean isTest(Path file) {
    return file.getFileName().toString().matches(".+\\.test\\.ya?ml");
  }

  private @Nullable String text(Path file) {
    try {
      return readSmall(file);
    } catch (IOException e) {
      problems.add("%s %s".formatted(shown(file), e.getMessage()));
      return null;
    }
  }

  /**
   * Returns the text of a file.
   *
   * @throws IOException if it is larger than 1 MB, not UTF-8 or cannot be read; the message says
   *     so, without the name of the file
   */
  public static String readSmall(Path file) throws IOException {
    try {
      if (Files.size(file) > LARGEST_FILE) {
        throw new IOException("has more than 1 MB");
      }
      return Files.readString(file);
    } catch (CharacterCodingException e) {
      throw new IOException("is not UTF-8", e);
    } catch (FileSystemException e) {
      throw new IOException("cannot be read: " + e.getClass().getSimpleName(), e);
    }
  }
}
