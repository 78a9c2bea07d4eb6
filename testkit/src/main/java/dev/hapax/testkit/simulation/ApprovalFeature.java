package dev.hapax.testkit.simulation;

import dev.hapax.Approvals;
import dev.hapax.DeliveryTerms;
import dev.hapax.Hapax;
import dev.hapax.Verdict;
import dev.hapax.flow.Approval;
import dev.hapax.flow.ApprovalFilter;
import dev.hapax.flow.Decision;
import dev.hapax.flow.Message;
import dev.hapax.flow.WaitState;
import dev.hapax.json.Json;
import dev.hapax.run.wait.Wait;
import dev.hapax.testkit.promise.Observation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A run asks people for a decision. They approve, reject and send back for rework, decide at the
 * same time, decide what was decided long ago, and sometimes have no right to decide.
 */
final class ApprovalFeature implements Feature {
  private static final int PEOPLE = 3;
  private static final int MOST_ROUNDS = 3;

  private static final String DESK = "desk";

  private final Outside outside;
  private final Post post;
  private final List<Observation> observations = new ArrayList<>();
  private int decisions;

  ApprovalFeature(Outside outside) {
    this.outside = outside;
    this.post = new Post(outside.with());
  }

  @Override
  public Plan.Does does() {
    return Plan.Does.APPROVAL;
  }

  @Override
  public String carryOut(Scene scene, Plan.PlannedStep step, Body body) throws Exception {
    if (step.parts().isEmpty()) {
      return scene.run().approval(step.name(), question(step)).decision().word();
    }
    int[] round = {0};
    Decision decision =
        scene
            .run()
            .rounds(
                step.name(),
                MOST_ROUNDS,
                (run, _) -> {
                  body.carryOut(scene.inRound(run, ++round[0]), step.parts());
                  return question(step);
                });
    return decision.decision().word() + " in round " + round[0];
  }

  private static Approval question(Plan.PlannedStep step) {
    Approval approval = Approval.ask("is " + step.content() + " right?");
    approval = step.version() % 2 == 0 ? approval : approval.roles("chief");
    approval =
        step.seconds() % 3 == 0
            ? approval.telling(Message.to(DESK).type("asked").data(step.content()))
            : approval;
    approval = step.version() < 2 ? approval : approval.expires(Duration.ofSeconds(step.seconds()));
    return approval
        .onExpire(step.seconds() % 2 == 0 ? Approval.OnExpire.REJECT : Approval.OnExpire.APPROVE)
        .onReject(step.caught() ? Approval.OnReject.CONTINUE : Approval.OnReject.FAIL);
  }

  @Override
  public void opened(Hapax hapax) {
    hapax
        .outbox()
        .courier(
            DESK,
            message ->
                post.deliver(() -> observations.add(new Observation.NoticeArrived(message.id()))),
            DeliveryTerms.DEFAULT.timeout(Duration.ofSeconds(30)));
  }

  @Override
  public void begin() {
    for (int i = 0; i < PEOPLE; i++) {
      String name = "person-" + i;
      outside.with().scheduler().spawn(null, name, () -> live(name));
    }
  }

  private void live(String name) {
    Choices choices = outside.with().choices();
    int looks = 3 + choices.below(6);
    for (int i = 0; i < looks; i++) {
      int bound = choices.oneOf(5, 20_000, 1_200_000);
      outside.with().scheduler().sleep(Duration.ofMillis(choices.below(bound)));
      List<Wait> asked =
          outside.durable().waits().approvals(ApprovalFilter.of(UnreliableWorld.TENANT));
      if (!asked.isEmpty()) {
        Wait one = asked.get(choices.below(asked.size()));
        decide(one, verdict(name, choices));
      }
    }
  }

  private static Verdict verdict(String name, Choices choices) {
    Verdict verdict =
        switch (choices.below(4)) {
          case 2 -> Verdict.reject(name);
          case 3 -> Verdict.rework(name, "do it again");
          default -> Verdict.approve(name);
        };
    return choices.below(5) == 1 ? verdict : verdict.roles("chief");
  }

  private void decide(Wait asked, Verdict verdict) {
    Hapax hapax = outside.machines().hapax();
    if (hapax == null) {
      return;
    }
    Verdict said = verdict.comment("decision " + ++decisions);
    Approvals.Receipt[] receipt = {null};
    var told = Client.tell(() -> receipt[0] = hapax.approvals().decide(asked.id(), said));
    Approvals.@Nullable Receipt heard = receipt[0];
    String text =
        Json.write(new Decision(said.decision(), said.actor(), said.comment(), said.values()));
    observations.add(
        heard == null
            ? Observation.WaitAnswered.unheard(asked.number(), text, told)
            : new Observation.WaitAnswered(
                asked.number(),
                text,
                told,
                heard.state(),
                heard.isFirst(),
                heard.decision() == null ? null : Json.write(heard.decision())));
  }

  /** Approves every open approval. */
  @Override
  public void finish() {
    post.sendDeadLettersAgain(outside.machines().hapax());
    var open = ApprovalFilter.of(UnreliableWorld.TENANT).state(WaitState.OPEN);
    for (Wait wait : outside.durable().waits().approvals(open)) {
      decide(wait, Verdict.approve("chief").roles("chief"));
    }
  }

  @Override
  public List<Observation> observations() {
    return observations;
  }
}
