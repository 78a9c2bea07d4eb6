package dev.hapax.app.dev;

import dev.hapax.app.cli.output.Refusal;
import dev.hapax.flows.check.Check;
import dev.hapax.flows.check.Finding;
import dev.hapax.flows.file.FlowFile;
import dev.hapax.flows.yaml.FileProblem;
import dev.hapax.time.RandomSource;
import dev.hapax.trial.cases.StandIn;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the server equal to the folder. Each look reads the folder, checks the files that have
 * changed, prints what it finds, and makes flows without errors live. A look can be repeated at any
 * time; it changes what differs. Safe for many threads.
 */
public final class DevReload {
  private final DevFiles files;
  private final DevOutside outside;
  private final DevScreen screen;
  private final DevConnections connections;
  private final DevReleases releases;
  // Guarded by this, as are the next three.
  private final Map<String, Read> last = new HashMap<>();
  private @Nullable String trouble;
  private boolean isPending;
  private boolean isBegun;

  /**
   * A file and its findings.
   *
   * @param checked null if it is not a flow, or not text
   */
  private record Read(DevFile file, Check.@Nullable Result checked) {
    @Nullable FlowFile flow() {
      return checked == null || checked.hasErrors() ? null : checked.file();
    }
  }

  private DevReload(
      DevFiles files,
      DevOutside outside,
      DevScreen screen,
      DevConnections connections,
      DevReleases releases) {
    this.files = files;
    this.outside = outside;
    this.screen = screen;
    this.connections = connections;
    this.releases = releases;
  }

  /** Keeps the server behind this door equal to the folder. */
  public static DevReload of(
      Path folder,
      DevPlace place,
      DevDoor door,
      DevOutside outside,
      DevScreen screen,
      RandomSource random)
      throws IOException {
    DevSecrets secrets = DevSecrets.open(door, random, place.secrets());
    return new DevReload(
        new DevFiles(folder),
        outside,
        screen,
        new DevConnections(door, secrets, screen),
        new DevReleases(door, secrets, screen));
  }

  static DevScreen.Note note(FileProblem problem) {
    return DevScreen.Note.error(
        problem.position().toString(), problem.rule(), problem.message(), problem.fix());
  }

  /** Looks at the folder. What goes wrong is printed, and tried again at the next look. */
  public synchronized void look() {
    try {
      lookAt(files.read());
      trouble = null;
    } catch (IOException e) {
      tellTrouble("the folder cannot be read: " + e);
    } catch (Refusal e) {
      tellTrouble(e.message());
    } catch (RuntimeException | StackOverflowError e) { // the watch must go on
      tellTrouble("the folder was not applied: " + e);
    }
  }

  /** Whether the last look left something for the next, even if no file changes. */
  synchronized boolean isPending() {
    return isPending;
  }

  /**
   * A flow file as the server has it.
   *
   * @param release the live one of the file; null if there is none
   * @param isLive whether the live release is the file as it is now
   */
  public record FileState(
      String file,
      @Nullable String flow,
      @Nullable Integer release,
      boolean isLive,
      List<Map<String, Object>> findings) {}

  /** Returns the flow files, in the order of their names. */
  synchronized List<FileState> files() {
    return last.values().stream()
        .filter(read -> read.checked() != null || read.file().text() == null)
        .sorted(Comparator.comparing(read -> read.file().name()))
        .map(this::state)
        .toList();
  }

  private FileState state(Read read) {
    Check.Result checked = read.checked();
    FlowFile flow = checked == null ? null : checked.file();
    DevReleases.Published live = releases.of(read.file().name(), flow);
    return new FileState(
        read.file().name(),
        live == null ? (flow == null ? null : flow.name()) : live.flow(),
        live == null ? null : live.release(),
        live != null && live.text().equals(read.file().text()),
        checked == null ? List.of() : checked.findings().stream().map(Finding::json).toList());
  }

  private void tellTrouble(String problem) {
    isPending = true;
    if (!problem.equals(trouble)) {
      screen.say("hapax dev: " + problem);
      trouble = problem;
    }
  }

  private void lookAt(List<DevFile> found) {
    Map<String, Read> now = new LinkedHashMap<>();
    Set<String> news = new TreeSet<>();
    for (DevFile file : found) {
      Read before = last.get(file.name());
      boolean isNew = before == null || !before.file().equals(file);
      now.put(file.name(), isNew || before == null ? read(file, before) : before);
      if (isNew) {
        news.add(file.name());
      }
    }
    List<String> gone = last.keySet().stream().filter(name -> !now.containsKey(name)).toList();
    if (news.isEmpty() && gone.isEmpty() && !isPending && isBegun) {
      return;
    }
    isPending = true; // until everything below was done
    for (String file : DevOutside.FILES) {
      if (news.contains(file) || gone.contains(file)) {
        Read read = now.get(file);
        outside.read(file, read == null ? null : read.file().text(), screen);
      }
    }
    Map<String, DevReleases.Wanted> flows = flows(now.values(), news);
    if (news.contains(StandIn.FILE)) {
      outside.tellUnknownSteps(
          flows.values().stream().map(DevReleases.Wanted::flow).toList(), screen);
    }
    gone.forEach(file -> releases.tellGone(file, flows.keySet()));
    if (!isBegun) {
      releases.tellWithoutFile(namesIn(now.values()));
      isBegun = true;
    }
    now.values().stream()
        .filter(read -> news.contains(read.file().name()))
        .forEach(this::tellFindings);
    last.clear();
    last.putAll(now);
    connections.apply(
        found.stream().filter(DevFile::isConnection).toList(),
        flows.values().stream().map(DevReleases.Wanted::flow).toList(),
        file -> news.contains(file.name()));
    releases.publish(List.copyOf(flows.values()));
    isPending = false;
  }

  /** The flows that files describe, also with errors; files that cannot be read at all count. */
  private static Set<String> namesIn(Iterable<Read> files) {
    var names = new TreeSet<String>();
    for (Read read : files) {
      FlowFile flow = read.checked() == null ? null : read.checked().file();
      names.add(flow == null ? read.file().baseName() : flow.name());
    }
    return names;
  }

  /** A file that was a flow stays one: an editor may be in the middle of its first line. */
  private static Read read(DevFile file, @Nullable Read before) {
    String text = file.text();
    boolean isFlow = file.isFlow() || (before != null && before.checked() != null);
    return new Read(file, text == null || !isFlow ? null : Check.check(file.name(), text));
  }

  /** Returns the flows without errors; of several files with the same flow, the first counts. */
  private Map<String, DevReleases.Wanted> flows(Iterable<Read> now, Set<String> news) {
    Map<String, DevReleases.Wanted> flows = new TreeMap<>();
    for (Read read : now) {
      FlowFile flow = read.flow();
      if (flow == null) {
        continue;
      }
      var other = flows.putIfAbsent(flow.name(), new DevReleases.Wanted(read.file(), flow));
      if (other != null && news.contains(read.file().name())) {
        screen.finding(
            DevScreen.Note.error(
                flow.position().toString(),
                "duplicate-flow",
                "flow '%s' is also in %s, which counts".formatted(flow.name(), other.file().name()),
                "Give one of them another name."),
            "");
      }
    }
    return flows;
  }

  private void tellFindings(Read read) {
    DevFile file = read.file();
    Check.Result checked = read.checked();
    if (file.text() == null && !file.isConnection()) {
      screen.finding(
          DevScreen.Note.error(
              file.name() + ":1:1", "unreadable", String.valueOf(file.problem()), null),
          "");
      releases.tellStays(file.name(), null);
    }
    if (checked == null) {
      return;
    }
    for (Finding finding : checked.findings()) {
      screen.finding(
          new DevScreen.Note(
              finding.position().toString(),
              finding.level().word(),
              finding.rule(),
              finding.message(),
              finding.fix()),
          checked.excerpt(finding));
    }
    if (checked.hasErrors()) {
      releases.tellStays(file.name(), checked.file());
    }
  }
}
