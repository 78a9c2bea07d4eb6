package dev.hapax.app.desk;

import dev.hapax.Hapax;
import dev.hapax.app.http.Call;
import dev.hapax.app.http.FlowSubject;
import dev.hapax.flow.EffectRecord;
import dev.hapax.flow.NotFound;
import dev.hapax.flow.Run;
import org.jspecify.annotations.Nullable;

/** The effects that calls of the desk are about. */
final class DeskEffects {
  private DeskEffects() {}

  /** The flow of the effect that this parameter of the path names. */
  static FlowSubject inPath(String parameter) {
    return FlowSubject.of(
        "effect",
        parameter,
        call -> flowOf(call.hapax(), effect(call.hapax(), call.path(parameter))));
  }

  static EffectRecord effect(Hapax hapax, String id) {
    try {
      return hapax.effect(id);
    } catch (IllegalArgumentException e) {
      throw new NotFound(absent(id));
    } catch (NotFound e) {
      throw new NotFound(absent(id), e.owner());
    }
  }

  private static String absent(String id) {
    return "there is no effect '%s'; it may have expired. /api/receipts?name=…&key=… gives a receipt of what is left"
        .formatted(id);
  }

  /** Returns the flow of the run that owns the effect; null if the run's record is gone. */
  static @Nullable String flowOf(Hapax hapax, EffectRecord row) {
    Run owner = hapax.findRun(row.run());
    return owner == null ? null : owner.flow();
  }

  static boolean isFor(Call call, @Nullable Run owner) {
    return call.actor().flows().isAll() || (owner != null && call.mayUse(owner.flow()));
  }
}
