package dev.hapax.flows.file;

import dev.hapax.flow.OnDoubt;
import dev.hapax.flows.expression.Position;
import dev.hapax.flows.expression.Template;
import dev.hapax.flows.expression.ValueTemplate;
import java.time.Duration;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The contract of a step that changes the outside world.
 *
 * @param name in the ledger; null: flow and step
 */
public record EffectContract(
    Position position,
    @Nullable String name,
    EffectKind kind,
    Template key,
    GuardBlock guard,
    @Nullable Template version,
    @Nullable Template externalId,
    @Nullable Reconcile reconcile) {

  /** How to list the destination's objects. */
  public record Reconcile(StepKind.Http list, @Nullable Template items, Template key) {}

  /** The guard that makes it safe to repeat the effect. */
  public sealed interface GuardBlock {
    Position position();

    /** The guard's word in the file. */
    String word();

    /** The read that says whether the effect happened; null if there is none. */
    default @Nullable Lookup lookup() {
      return null;
    }

    /**
     * The destination removes duplicates by our key.
     *
     * @param header that carries it; null: as the connection says
     * @param window how long it is remembered there; null: as the connection says
     * @param lookup used when the key does not settle a doubt; null if a person has to
     */
    record Keyed(
        Position position,
        @Nullable String header,
        @Nullable Duration window,
        @Nullable Lookup lookup)
        implements GuardBlock {
      @Override
      public String word() {
        return "keyed";
      }
    }

    /** The operation itself can be repeated. */
    record Upsert(Position position) implements GuardBlock {
      @Override
      public String word() {
        return "upsert";
      }
    }

    /** A marker row commits together with the write. */
    record Transaction(Position position) implements GuardBlock {
      @Override
      public String word() {
        return "transaction";
      }
    }

    /**
     * A read says whether the effect happened.
     *
     * @param found null if the file gives none, which check refuses
     * @param settle null if the file gives none
     */
    record Lookup(
        Position position,
        StepKind.Http http,
        @Nullable Template found,
        @Nullable ValueTemplate output,
        @Nullable Duration settle)
        implements GuardBlock {
      @Override
      public String word() {
        return "lookup";
      }

      @Override
      public Lookup lookup() {
        return this;
      }
    }

    /** Duplicates are not removed. */
    record None(Position position, OnDoubt onDoubt) implements GuardBlock {
      @Override
      public String word() {
        return "none";
      }
    }
  }

  Stream<Template> templates() {
    Stream<Template> own =
        Stream.of(Stream.of(key), Stream.ofNullable(version), Stream.ofNullable(externalId))
            .flatMap(texts -> texts);
    Stream<Template> listed =
        reconcile == null
            ? Stream.empty()
            : Stream.concat(reconcile.list().templates(), Stream.ofNullable(reconcile.items()));
    GuardBlock.Lookup lookup = guard.lookup();
    return Stream.concat(
        Stream.concat(own, listed), lookup == null ? Stream.empty() : templates(lookup));
  }

  private static Stream<Template> templates(GuardBlock.Lookup lookup) {
    ValueTemplate output = lookup.output();
    return Stream.of(
            lookup.http().templates(),
            Stream.ofNullable(lookup.found()),
            output == null ? Stream.<Template>empty() : output.templates())
        .flatMap(texts -> texts);
  }
}
