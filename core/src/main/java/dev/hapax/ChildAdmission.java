package dev.hapax;

import dev.hapax.admission.AdmissionRequest;
import dev.hapax.admission.RunAdmission;
import dev.hapax.engine.ChildRuns;
import dev.hapax.flow.Flow;
import dev.hapax.json.Text;
import dev.hapax.run.NewRun;
import dev.hapax.store.NoAnswer;
import java.util.List;

/** Starts child runs through the same admission as every other start. */
final class ChildAdmission implements ChildRuns {
  private final RunAdmission admission;

  ChildAdmission(RunAdmission admission) {
    this.admission = admission;
  }

  @Override
  public <I> NewRun newRun(Request<I> request) {
    Flow<I, ?> flow = request.flow();
    String why = Hapax.inputRefusal(flow, request.input());
    if (why != null) {
      throw new Invalid("invalid-input", why, null);
    }
    String key = request.key();
    if (key == null && !flow.computesKey()) {
      key = request.otherwise();
    }
    refuseWhatDoesNotFit(flow, request.input());
    try {
      return admission.prepare(
          new AdmissionRequest<>(request.tenant(), flow, request.input(), key));
    } catch (RunAdmission.InvalidInput e) {
      throw new Invalid(e.code(), String.valueOf(e.getMessage()), e);
    } catch (NoAnswer e) {
      throw e; // the calling run is tried again later
    } catch (RuntimeException e) { // the flow's key function can throw too
      throw new Invalid("invalid-input", "%s: %s".formatted(flow, Text.messageOf(e)), e);
    }
  }

  private static <I> void refuseWhatDoesNotFit(Flow<I, ?> flow, I input) {
    List<String> problems = flow.problemsOf(input);
    if (!problems.isEmpty()) {
      String message =
          "the input does not fit flow '%s': %s"
              .formatted(flow.name(), String.join("; ", problems));
      throw new Invalid("invalid-input", message, null);
    }
  }
}
