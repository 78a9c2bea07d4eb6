package dev.hapax.app.api;

import com.fasterxml.jackson.annotation.JsonRawValue;
import dev.hapax.Callbacks;
import dev.hapax.Hapax;
import dev.hapax.app.http.Call;
import dev.hapax.app.http.Problem;
import dev.hapax.app.http.Route;
import dev.hapax.app.http.RouteAnswer;
import dev.hapax.app.http.Tenants;
import dev.hapax.app.http.TokenScope;
import dev.hapax.app.wire.JsonText;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Takes the answers of outside systems to runs that wait for them. The token is the credential. */
public final class CallbackDoor {
  private final Hapax hapax;
  private final Tenants tenants;
  private final StartableFlows flows;

  /**
   * Takes callbacks of all tenants.
   *
   * @param hapax as it was opened
   */
  public CallbackDoor(Hapax hapax, Tenants tenants, StartableFlows flows) {
    this.hapax = hapax;
    this.tenants = tenants;
    this.flows = flows;
  }

  /** Returns its routes. */
  public List<Route> routes() {
    return List.of(
        Route.post(
                "/api/callbacks/{token}",
                TokenScope.PUBLIC,
                "Answer a waiting run; the first answer counts",
                this::answer)
            .takes(Object.class)
            .gives(200, Receipt.class));
  }

  /** The result of an answer: every later answer gets the first one. */
  private record Receipt(
      String state, boolean first, @Nullable @JsonRawValue String decision, @Nullable Instant at) {}

  private RouteAnswer answer(Call call) {
    String token = call.path("token");
    Callbacks.Owner owner = hapax.callbacks().owner(token);
    Object value = call.valueOrNull();
    refuseUnfit(owner, value);
    Callbacks.Receipt receipt = tenants.hapax(owner.tenant()).callbacks().answer(token, value);
    return RouteAnswer.ok(
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
      throw Problem.invalidInput("the body does not match the schema that the run expects")
          .with("problems", problems);
    }
  }
}
