package dev.hapax.app;

import dev.hapax.Hapax;
import dev.hapax.app.access.AccessControl;
import dev.hapax.app.access.TenantBook;
import dev.hapax.app.access.TermsBook;
import dev.hapax.app.alert.DiskWatch;
import dev.hapax.app.alert.ExportWatch;
import dev.hapax.app.alert.TenantAlerts;
import dev.hapax.app.config.Settings;
import dev.hapax.app.desk.ReviewBook;
import dev.hapax.app.release.Releases;
import dev.hapax.flow.Alert;
import dev.hapax.time.Ports;
import dev.hapax.time.Signal;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What a server does besides answering requests and running flows, on its own threads. */
final class BackgroundWork {
  private static final Logger log = LoggerFactory.getLogger(BackgroundWork.class);

  private static final Duration FOLLOW = Duration.ofSeconds(1);
  private static final Duration LOOK_AT_DISK = Duration.ofSeconds(30);
  private static final Duration SWEEP = Duration.ofHours(1);

  private final Settings settings;
  private final Ports ports;
  private final Hapax hapax;
  private final TermsBook terms;
  private final AccessControl access;
  private final Releases releases;
  private final TenantAlerts alerts;
  private final ReviewBook reviews;
  private final Signal stopped;

  BackgroundWork(
      Settings settings,
      Ports ports,
      Hapax hapax,
      TermsBook terms,
      AccessControl access,
      Releases releases,
      TenantAlerts alerts,
      ReviewBook reviews) {
    this.settings = settings;
    this.ports = ports;
    this.hapax = hapax;
    this.terms = terms;
    this.access = access;
    this.releases = releases;
    this.alerts = alerts;
    this.reviews = reviews;
    this.stopped = ports.threads().signal();
  }

  /**
   * Begins.
   *
   * @param isShared whether other nodes may use the same store
   */
  void start(SearchIndexing search, boolean isShared) {
    ports.threads().virtual("hapax-refusals", this::flushRefusals);
    ports.threads().virtual("hapax-erasure", this::eraseTenants);
    ports.threads().virtual("hapax-review-notes", this::sweepNotes);
    ports.threads().virtual("hapax-search", () -> search.work(hapax, stopped));
    if (settings.alerts().channels().containsKey(Alert.DISK_LOW)) {
      ports.threads().virtual("hapax-disk", this::watchDisk);
      if (settings.engine().exportDeleted() != null) {
        ports.threads().virtual("hapax-exports", this::watchExports);
      }
    }
    if (isShared) {
      ports.threads().virtual("hapax-promotions", this::followOthers);
    }
  }

  void stop() {
    stopped.raise();
  }

  /** Applies promotions and suspensions of other nodes a moment later. */
  private void followOthers() {
    while (!stopped.await(FOLLOW)) {
      try {
        terms.follow();
        releases.follow();
        alerts.follow();
      } catch (RuntimeException e) { // also while the store is unreachable
        log.debug("changes by other nodes could not be read; this node tries again", e);
      }
    }
  }

  /** Also continues what an earlier process has begun. */
  private void eraseTenants() {
    while (!stopped.await(FOLLOW)) {
      access.eraser().work(stopped::await);
    }
  }

  /** Notes about reviews go with the runs that they are about. */
  private void sweepNotes() {
    while (!stopped.await(SWEEP)) {
      try {
        reviews.sweep(hapax::tenant);
      } catch (RuntimeException e) { // also while the store is unreachable
        log.debug("old notes about reviews could not be deleted; this node tries again", e);
      }
    }
  }

  private void watchDisk() {
    var disk =
        new DiskWatch(
            hapax.tenant(TenantBook.OPERATOR),
            () -> settings.data().toFile().getUsableSpace(),
            settings.limits().freeBytes(),
            ports.clock());
    do {
      try {
        disk.look();
      } catch (RuntimeException e) { // also while the store is unreachable, or full already
        log.warn("the alert about the disk could not be written; it is tried again", e);
      }
    } while (!stopped.await(LOOK_AT_DISK));
  }

  private void watchExports() {
    var exports =
        new ExportWatch(
            hapax.tenant(TenantBook.OPERATOR), hapax.retention()::exportProblem, ports.clock());
    do {
      try {
        exports.look();
      } catch (RuntimeException e) { // also while the store is unreachable, or full already
        log.warn("the alert about exports could not be written; it is tried again", e);
      }
    } while (!stopped.await(LOOK_AT_DISK));
  }

  private void flushRefusals() {
    while (!stopped.await(access.flushEvery())) {
      access.flushRefusals();
    }
  }
}
