package dev.hapax.app.dev;

import dev.hapax.time.Signal;
import dev.hapax.time.Threads;
import java.io.IOException;
import java.nio.file.ClosedWatchServiceException;
import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchEvent;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Looks at a folder when something in it has changed: the system tells of it, and every second a
 * scan of names, sizes and times finds what the system did not tell. An editor writes a file in
 * several events, so a look waits until none has come for a moment.
 */
public final class DevWatch implements AutoCloseable {
  private static final long SCAN_MILLIS = 1_000;
  private static final long QUIET_MILLIS = 40;
  private static final int LONGEST_BURST = 25;
  private static final WatchEvent.Kind<?>[] ALL = {
    StandardWatchEventKinds.ENTRY_CREATE,
    StandardWatchEventKinds.ENTRY_MODIFY,
    StandardWatchEventKinds.ENTRY_DELETE
  };

  private final DevFiles files;
  private final DevReload reload;
  private final @Nullable WatchService events;
  private final Signal closing;
  private final Signal ended;
  private Map<String, String> stamps = Map.of();

  private DevWatch(
      DevFiles files, DevReload reload, @Nullable WatchService events, Threads threads) {
    this.files = files;
    this.reload = reload;
    this.events = events;
    this.closing = threads.signal();
    this.ended = threads.signal();
  }

  /** Begins to watch; the folder has been looked at once when this returns. */
  public static DevWatch begin(Path folder, DevReload reload, Threads threads) {
    var watch = new DevWatch(new DevFiles(folder), reload, service(), threads);
    watch.register(); // before the first look, so that no change falls in between
    watch.stamps = watch.scan();
    reload.look();
    threads.platform("hapax-dev-watch", watch::loop);
    return watch;
  }

  /** Without it the scan finds everything, a second later. */
  private static @Nullable WatchService service() {
    try {
      return FileSystems.getDefault().newWatchService();
    } catch (IOException | UnsupportedOperationException e) {
      return null;
    }
  }

  /** Registers new folders, too; a folder that is registered twice is watched once. */
  private void register() {
    WatchService service = events;
    if (service == null) {
      return;
    }
    try {
      for (Path folder : files.folders()) {
        folder.register(service, ALL);
      }
    } catch (IOException e) {
      // a folder has vanished, or the system has no room for another watch: the scan remains
    }
  }

  private void loop() {
    try {
      while (!closing.isRaised()) {
        boolean isTold = awaitEvent();
        Map<String, String> now = scan();
        if (isTold || !now.equals(stamps) || reload.isPending()) {
          stamps = now;
          register();
          reload.look();
        }
      }
    } catch (ClosedWatchServiceException e) {
      // closed
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      ended.raise();
    }
  }

  private boolean awaitEvent() throws InterruptedException {
    WatchService service = events;
    if (service == null) {
      closing.awaitInterruptibly(Duration.ofMillis(SCAN_MILLIS));
      return false;
    }
    WatchKey key = service.poll(SCAN_MILLIS, TimeUnit.MILLISECONDS);
    boolean isTold = key != null;
    for (int i = 0; key != null && i < LONGEST_BURST; i++) {
      key.pollEvents();
      key.reset();
      key = service.poll(QUIET_MILLIS, TimeUnit.MILLISECONDS);
    }
    if (key != null) {
      key.reset();
    }
    return isTold;
  }

  private Map<String, String> scan() {
    try {
      return files.stamps();
    } catch (IOException e) {
      return Map.of("", "unreadable");
    }
  }

  @Override
  public void close() {
    closing.raise();
    WatchService service = events;
    if (service != null) {
      try {
        service.close();
      } catch (IOException e) {
        // the process ends anyway
      }
    }
    ended.await();
  }
}
