package dev.hapax.testkit.memory;

import dev.hapax.flow.Failure;
import dev.hapax.flow.Fingerprint;
import dev.hapax.flow.Run;
import dev.hapax.flow.RunStatus;
import dev.hapax.flow.SearchFields;
import dev.hapax.run.NewRun;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An edit of a run row: everything about a run that can change after its insert. */
final class RunEdit {
  private final Run run;
  private RunStatus status;
  private List<Fingerprint> fingerprints;
  private String input;
  private @Nullable String output;
  private @Nullable Failure error;
  private @Nullable Long owner;
  private @Nullable Instant dueAt;
  private @Nullable Instant timeoutAt;
  private Run.@Nullable Cancel cancel;
  private @Nullable Instant endedAt;
  private long duplicates;
  private SearchFields search;
  private int release;

  private RunEdit(Run run) {
    this.run = run;
    this.status = run.status();
    this.fingerprints = run.fingerprints();
    this.input = run.input();
    this.output = run.output();
    this.error = run.error();
    this.owner = run.owner();
    this.dueAt = run.dueAt();
    this.timeoutAt = run.timeoutAt();
    this.cancel = run.cancel();
    this.endedAt = run.endedAt();
    this.duplicates = run.duplicates();
    this.search = run.search();
    this.release = run.release();
  }

  static RunEdit of(Run run) {
    return new RunEdit(run);
  }

  static Run inserted(NewRun run, @Nullable Long owner, Instant at) {
    return new Run(
        run.number(),
        run.id(),
        run.tenant(),
        run.flow(),
        run.release(),
        run.key(),
        owner == null ? RunStatus.QUEUED : RunStatus.RUNNING,
        List.of(run.fingerprint()),
        run.input(),
        null,
        null,
        owner,
        owner == null ? at : null,
        run.timeoutAt(),
        null,
        at,
        null,
        0,
        run.parent(),
        run.depth(),
        run.startedBy(),
        run.search());
  }

  RunEdit status(RunStatus status) {
    this.status = status;
    return this;
  }

  RunEdit owner(@Nullable Long owner) {
    this.owner = owner;
    return this;
  }

  RunEdit dueAt(@Nullable Instant dueAt) {
    this.dueAt = dueAt;
    return this;
  }

  RunEdit timeoutAt(@Nullable Instant timeoutAt) {
    this.timeoutAt = timeoutAt;
    return this;
  }

  RunEdit cancel(Run.@Nullable Cancel cancel) {
    this.cancel = cancel;
    return this;
  }

  RunEdit end(@Nullable Instant endedAt, @Nullable String output, @Nullable Failure error) {
    this.endedAt = endedAt;
    this.output = output;
    this.error = error;
    return this;
  }

  /**
   * Changes the input. Earlier inputs stay known: a start with one of them is still the same start.
   */
  RunEdit input(String input, Fingerprint fingerprint) {
    this.input = input;
    if (!fingerprints.contains(fingerprint)) {
      List<Fingerprint> all = new ArrayList<>(fingerprints);
      all.add(fingerprint);
      fingerprints = List.copyOf(all);
    }
    return this;
  }

  RunEdit search(SearchFields fields) {
    this.search = fields;
    return this;
  }

  RunEdit release(int other) {
    this.release = other;
    return this;
  }

  RunEdit countDuplicates(long count) {
    this.duplicates += count;
    return this;
  }

  Run toRun() {
    return new Run(
        run.number(),
        run.id(),
        run.tenant(),
        run.flow(),
        release,
        run.key(),
        status,
        fingerprints,
        input,
        output,
        error,
        owner,
        dueAt,
        timeoutAt,
        cancel,
        run.createdAt(),
        endedAt,
        duplicates,
        run.parent(),
        run.depth(),
        run.startedBy(),
        search);
  }
}
