package dev.hapax.app.wire;

import dev.hapax.export.ExportForm;
import dev.hapax.flow.EffectRecord;
import dev.hapax.flow.HistoryEntry;
import dev.hapax.flow.InboxEvent;
import dev.hapax.flow.Run;
import org.jspecify.annotations.Nullable;

/** Writes deleted records as the API shows them. */
public final class PublicForm implements ExportForm {
  @Override
  public Object run(Run run) {
    return RunView.of(run);
  }

  @Override
  public Object entry(HistoryEntry entry) {
    return HistoryView.of(entry);
  }

  @Override
  public Object effect(EffectRecord effect, @Nullable String run) {
    return EffectView.of(effect, run);
  }

  @Override
  public Object event(InboxEvent event) {
    return EventView.withPayload(event);
  }
}
