package dev.hapax.job;

import dev.hapax.flow.JobKind;
import dev.hapax.flow.Names;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The kinds of jobs that this process can carry out. Safe for many threads. */
public final class JobKinds {
  private final Map<String, JobKind> kinds = new ConcurrentHashMap<>();

  /** Adds a kind. */
  public void register(JobKind kind) {
    Names.label(kind.name());
    if (kinds.putIfAbsent(kind.name(), kind) != null) {
      throw new IllegalArgumentException(
          "there is a kind of jobs with the name '%s' already".formatted(kind.name()));
    }
  }

  @Nullable JobKind find(String name) {
    return kinds.get(name);
  }

  JobKind existing(String name) {
    JobKind kind = kinds.get(name);
    if (kind == null) {
      throw new IllegalArgumentException(
          "kind: expected one of %s, got '%s'"
              .formatted(String.join(", ", new TreeMap<>(kinds).keySet()), name));
    }
    return kind;
  }
}
