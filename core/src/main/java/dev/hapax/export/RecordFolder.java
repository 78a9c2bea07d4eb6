package dev.hapax.export;

import dev.hapax.flow.EffectRecord;
import dev.hapax.flow.HistoryEntry;
import dev.hapax.flow.InboxEvent;
import dev.hapax.flow.RecordExport;
import dev.hapax.flow.Run;
import dev.hapax.json.Json;
import dev.hapax.store.OwnerOnly;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes deleted records as lines of JSON, into a folder for each tenant. A run is a line {@code
 * run}, a line {@code history} for each entry, and a line {@code run-end}; an effect and an event
 * are a line each. A file ends at 64 MB, or a day after its first record.
 */
public final class RecordFolder implements RecordExport {
  private static final Logger log = LoggerFactory.getLogger(RecordFolder.class);
  private static final long LARGEST = 64L << 20;
  private static final Duration LONGEST = Duration.ofDays(1);
  private static final int MOST_OPEN = 64;

  private final Path root;
  private final ExportForm form;
  private final Map<String, ExportFile> open = new LinkedHashMap<>(16, 0.75f, true);
  private final Set<String> touched = new LinkedHashSet<>();
  private Instant now = Instant.EPOCH;

  private RecordFolder(Path root, ExportForm form) {
    this.root = root;
    this.form = form;
  }

  /** Exports into this folder, which is created when the first record is deleted. */
  public static RecordFolder at(Path folder) {
    return at(folder, ExportForm.PLAIN);
  }

  /** As above, in another form. */
  public static RecordFolder at(Path folder, ExportForm form) {
    return new RecordFolder(folder.toAbsolutePath().normalize(), form);
  }

  @Override
  public String place() {
    return root.toString();
  }

  @Override
  public void begin(Instant time) {
    now = time;
  }

  @Override
  public void run(Run run, Consumer<Consumer<HistoryEntry>> history) throws IOException {
    ExportFile file = file(run.tenant());
    String id = run.id().toString();
    file.line(line("run", run.tenant(), form.run(run)));
    var entries = new AtomicLong();
    try {
      history.accept(
          entry -> {
            try {
              file.line(line("history", id, form.entry(entry)));
              entries.incrementAndGet();
            } catch (IOException e) {
              throw new UncheckedIOException(e);
            }
          });
    } catch (UncheckedIOException e) {
      throw new IOException(e.getCause());
    }
    file.line(line("run-end", id, Map.of("entries", entries.get())));
  }

  @Override
  public void effect(EffectRecord effect, @Nullable String run) throws IOException {
    String tenant = effect.key().tenant();
    file(tenant).line(line("effect", tenant, form.effect(effect, run)));
  }

  @Override
  public void event(InboxEvent event) throws IOException {
    file(event.tenant()).line(line("event", event.tenant(), form.event(event)));
  }

  /** The members of a line; lines of a history name their run, the others their tenant. */
  private String line(String record, String of, Object content) {
    var members = new LinkedHashMap<String, Object>();
    members.put("record", record);
    members.put(record.equals("history") || record.equals("run-end") ? "run" : "tenant", of);
    members.put("deletedAt", now);
    members.put("content", content);
    return Json.write(members);
  }

  private ExportFile file(String tenant) throws IOException {
    touched.add(tenant);
    ExportFile known = open.get(tenant);
    if (known != null) {
      return known;
    }
    Path folder = OwnerOnly.folder(root.resolve(folderOf(tenant)));
    ExportFile.recover(folder);
    ExportFile fresh = ExportFile.create(folder, now);
    open.put(tenant, fresh);
    return fresh;
  }

  /** Names of tenants are harmless; a name that is not cannot leave the folder. */
  private static String folderOf(String tenant) {
    String encoded = URLEncoder.encode(tenant, StandardCharsets.UTF_8);
    return encoded.startsWith(".") ? "%2E" + encoded.substring(1) : encoded;
  }

  @Override
  public void sync() throws IOException {
    for (String tenant : List.copyOf(touched)) {
      ExportFile file = open.get(tenant);
      if (file != null) {
        file.sync(now);
      }
    }
    touched.clear();
    rotate();
  }

  /** What is durable stays so, even if a file cannot get its last name now. */
  private void rotate() {
    for (Map.Entry<String, ExportFile> one : List.copyOf(open.entrySet())) {
      ExportFile file = one.getValue();
      boolean isOver =
          file.size() >= LARGEST
              || !now.isBefore(file.from().plus(LONGEST))
              || open.size() > MOST_OPEN;
      if (isOver) {
        close(open.remove(one.getKey()));
      }
    }
  }

  private static void close(@Nullable ExportFile file) {
    try {
      if (file != null) {
        file.close();
      }
    } catch (IOException e) {
      log.warn("an export file keeps its name for now: {}", e.toString());
    }
  }

  /** A file that cannot be cut back ends: the next record begins another one. */
  @Override
  public void abandon() {
    for (String tenant : touched) {
      ExportFile file = open.get(tenant);
      try {
        if (file != null) {
          file.abandon();
        }
      } catch (IOException e) {
        close(open.remove(tenant));
      }
    }
    touched.clear();
  }

  @Override
  public void close() {
    abandon();
    open.values().forEach(RecordFolder::close);
    open.clear();
  }
}
