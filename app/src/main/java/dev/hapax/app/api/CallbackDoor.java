package dev.hapax.app.api;

import com.fasterxml.jackson.annotation.JsonRawValue;
import dev.hapax.Callbacks;
import dev.hapax.Hapax;
import dev.hapax.app.http.Answer;
import dev.hapax.app.http.Call;
import dev.hapax.app.http.Problem;
import dev.hapax.app.http.Route;
import dev.hapax.app.http.Scope;
import dev.hapax.app.http.Tenants;
import dev.hapax.app.wire.JsonText;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Takes the answers of outside systems to runs that wait for them. The token is the credential. */
public final class CallbackDoor {
  private final Hapax hapax;
  private final Tenants tenants;
  private final Flows flows;

  /**
   * Takes callbacks of all tenants.
   *
   * @param hapax as it was opened
   */
  public CallbackDoor(Hapax hapax, Tenants tenants, Flows flows) {
    this.hapax = hapax;
    this.tenants = tenants;
    this.flows = flows;
  }

  /** Returns its routes. */
  public List<Route> routes() {
    return List.of(
        Route.post(
                "/api/callbacks/{token}",
                Scope.PUBLIC,
                "Answer a run that waits; the first answer counts",
                this::answer)
            .takes(Object.class)
            .gives(200, Receipt.class));
  }

  /** The result of an answer: every later answer gets the first one. */
  private record Receipt(
      String state, boolean first, @Nullable @JsonRawValue String decision, @Nullable Instant at) {}

  private Answer answer(Call call) {
    String token = call.path("token");
    Callbacks.Owner owner = hapax.callbacks().owner(token);
    Object value = call.valueOrNull();
    refuseUnfit(owner, value);
    Callbacks.Receipt receipt = tenants.hapax(owner.tenant()).callbacks().answer(token, value);
    return Answer.ok(
        new Receipt(
            receipt.state().word(),
            receipt.isFirst(),
            JsonText.raw(receipt.value()),
            receipt.at()));
  }

  /** Refuses a body that does not fit. Once a wait is decided, any body gets the decision. */
  private void refuseUnfit(Callbacks.Owner owner, @Nullable Object value) {
    if (!owner.isOpen()) {
      return;
    }
    Startable flow = flows.find(owner.tenant(), owner.flow(), owner.release());
    List<String> problems = flow == null ? List.of() : flow.callbackProblems(owner.step(), value);
    if (!problems.isEmpty()) {
      throw Problem.invalidInput("the body does not fit what the run waits for")
          .with("problems", problems);
    }
  }
}
