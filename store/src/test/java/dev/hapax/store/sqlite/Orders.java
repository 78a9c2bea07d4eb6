package dev.hapax.store.sqlite;

import dev.hapax.flow.EffectKey;
import dev.hapax.flow.Fingerprint;
import dev.hapax.flow.Kind;
import dev.hapax.flow.RunId;
import dev.hapax.flow.Step;
import dev.hapax.run.NewRun;
import dev.hapax.run.ledger.EffectClaim;
import dev.hapax.store.Batch;
import dev.hapax.store.Change;
import dev.hapax.store.Group;
import dev.hapax.store.GroupAnswer;
import dev.hapax.store.Head;
import dev.hapax.store.Store;
import dev.hapax.time.Ports;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;

/** Runs of a flow that charges orders, each with one effect under the order's key. */
final class Orders {
  static final long OWNER = 71;
  static final Instant AT = Instant.parse("2026-03-01T10:00:00Z");

  private static final String INPUT = "{\"total\":40.00}";

  private Orders() {}

  static Store open(Path file) {
    return new SqliteProvider().open(file, Ports.system().threads());
  }

  /** A store whose keys move into the index after every few runs. */
  static Store openWithSmallGenerations(Path file) {
    return new SqliteStore(file, Ports.system().threads(), 4);
  }

  static RunId id(String key) {
    return RunId.of("acme", "charge-order", key, null);
  }

  static EffectKey effectKey(String key) {
    return new EffectKey("acme", "charge", key, null);
  }

  /**
   * The start of a run with the intent of its effect. Numbers from 1 on; a run's effect has the
   * same one.
   */
  static Group start(long number, String key) {
    return start(number, key, INPUT);
  }

  static Group start(long number, String key, String input) {
    var run =
        new NewRun(
            number, id(key), "acme", "charge-order", 1, key, Fingerprint.of(INPUT), input, null);
    var claim =
        new EffectClaim(
            number,
            effectKey(key),
            Kind.CREATE,
            "keyed",
            number,
            new Step("charge", null),
            run.fingerprint(),
            INPUT,
            null,
            "origin",
            AT);
    return new Group(
        number, AT, new Head.Insert(run, OWNER), List.of(new Change.Claim(claim)), "[]");
  }

  static List<GroupAnswer> commit(Store store, Group... groups) {
    return store.commit(new Batch(Arrays.asList(groups)));
  }
}
