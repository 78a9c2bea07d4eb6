package dev.hapax.testkit.promise;

import dev.hapax.flow.EffectRecord;
import dev.hapax.flow.KvEntry;
import dev.hapax.flow.Run;
import dev.hapax.run.journal.JournalRow;
import dev.hapax.run.value.ResourceRecord;
import dev.hapax.run.value.ResourceRef;
import dev.hapax.store.KvFilter;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Resources: every value that a run, an effect or the durable map refers to is there, with the
 * content that its hash says; and reads return what was written.
 */
public final class ReferencedValuesStay implements Promise {
  private static final int PAGE = 100;

  @Override
  public List<String> brokenBy(Evidence evidence) {
    List<String> broken = new ArrayList<>();
    for (Run run : evidence.runs()) {
      String who = "run " + run.id();
      look(evidence, who, run.input(), broken);
      look(evidence, who, run.output(), broken);
      for (JournalRow row : evidence.store().journal(run.number())) {
        look(evidence, who, row.entries(), broken);
        look(evidence, who, row.answers(), broken);
      }
    }
    for (EffectRecord effect : evidence.effects()) {
      look(evidence, "effect " + effect.id(), effect.request(), broken);
      look(evidence, "effect " + effect.id(), effect.result(), broken);
    }
    var all = new KvFilter(evidence.tenant(), "", null, Instant.EPOCH, PAGE);
    for (KvEntry entry : evidence.store().kv(all)) {
      look(evidence, "the entry " + entry.key(), entry.value(), broken);
    }
    readAsWritten(evidence, broken);
    return broken;
  }

  private static void look(
      Evidence evidence, String who, @Nullable String text, List<String> broken) {
    for (ResourceRef ref : ResourceRef.in(text)) {
      ResourceRecord row = evidence.store().resource(evidence.tenant(), ref);
      byte[] content = row == null ? null : evidence.store().content(row.number());
      if (content == null) {
        broken.add("%s refers to %s, which is not there".formatted(who, ref));
      } else if (!ResourceRef.to(content).equals(ref)) {
        broken.add("%s refers to %s, which has another content".formatted(who, ref));
      }
    }
  }

  private static void readAsWritten(Evidence evidence, List<String> broken) {
    for (var read : evidence.observed(Observation.ValueRead.class)) {
      if (!read.ref().equals(read.hash())) {
        broken.add("%s was read as %s".formatted(read.ref(), read.hash()));
      }
    }
    for (var read : evidence.observed(Observation.LargeResultRead.class)) {
      if (!read.isAsWritten()) {
        broken.add("the large result %s was not read as written".formatted(read.key()));
      }
    }
  }
}
