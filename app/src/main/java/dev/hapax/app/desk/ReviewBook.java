package dev.hapax.app.desk;

import dev.hapax.Hapax;
import dev.hapax.Kv;
import dev.hapax.app.data.Outcome;
import dev.hapax.app.data.Records;
import dev.hapax.app.data.Stored;
import dev.hapax.app.http.Problem;
import dev.hapax.app.http.Tenants;
import dev.hapax.flow.EffectRecord;
import dev.hapax.flow.Run;
import dev.hapax.flow.SubjectTraces;
import dev.hapax.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The notes of people about reviews: assignee and comments. Durable when a call returns; safe for
 * many threads and nodes. They are deleted when the run is, or when it is erased for a person.
 */
public final class ReviewBook implements SubjectTraces {
  private static final int PAGE = 100;

  private final Records<ReviewNotes> records;
  private final Clock clock;

  public ReviewBook(Kv own, Clock clock) {
    this.records = new Records<>(own, "review-notes", ReviewNotes.class);
    this.clock = clock;
  }

  ReviewNotes of(EffectRecord effect) {
    Stored<ReviewNotes> stored = records.get(name(effect));
    return stored == null
        ? ReviewNotes.none(effect.key().tenant(), effect.id(), effect.run())
        : stored.value();
  }

  private static String name(EffectRecord effect) {
    return Records.name(effect.key().tenant(), effect.id());
  }

  /** Gives the review to a person; null takes it from the one who has it. */
  ReviewNotes assign(EffectRecord effect, @Nullable String person) {
    return change(effect, notes -> notes.assignee(person));
  }

  ReviewNotes comment(EffectRecord effect, String by, String text) {
    var comment = new ReviewNotes.Comment(clock.now(), by, text);
    return change(
        effect,
        notes -> {
          if (notes.comments().size() >= ReviewNotes.MOST_COMMENTS) {
            throw Problem.notPossible(
                "effect %s has %d comments, and no more are kept: write the rest into the reason of your decision"
                    .formatted(effect.id(), ReviewNotes.MOST_COMMENTS));
          }
          return notes.with(comment);
        });
  }

  private ReviewNotes change(EffectRecord effect, UnaryOperator<ReviewNotes> change) {
    String name = name(effect);
    while (true) {
      Stored<ReviewNotes> stored = records.get(name);
      ReviewNotes before =
          stored == null
              ? ReviewNotes.none(effect.key().tenant(), effect.id(), effect.run())
              : stored.value();
      Outcome<ReviewNotes> outcome =
          records.compareAndSet(name, stored == null ? 0 : stored.version(), change.apply(before));
      if (outcome.written()) {
        return outcome.standing() == null ? before : outcome.standing().value();
      }
    }
  }

  @Override
  public void erase(String tenant, List<String> effects) {
    effects.forEach(effect -> records.delete(Records.name(tenant, effect)));
  }

  @Override
  public List<Object> export(String tenant, List<String> effects) {
    List<Object> found = new ArrayList<>();
    for (String effect : effects) {
      Stored<ReviewNotes> stored = records.get(Records.name(tenant, effect));
      if (stored != null) {
        found.add(stored.value());
      }
    }
    return found;
  }

  /** Deletes the notes about effects whose runs are deleted, or were erased for a person. */
  public void sweep(Tenants tenants) {
    String after = null;
    List<Stored<ReviewNotes>> page;
    do {
      page = records.list("", after, PAGE);
      var over = new ArrayList<String>();
      for (Stored<ReviewNotes> one : page) {
        after = one.name();
        Hapax hapax = tenants.hapax(one.value().tenant());
        Run run = hapax.findRun(one.value().run());
        if (run == null || run.isErased()) {
          over.add(one.name());
        }
      }
      over.forEach(records::delete);
    } while (page.size() == PAGE);
  }
}
