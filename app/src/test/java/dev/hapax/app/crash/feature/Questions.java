package dev.hapax.app.crash.feature;

import static dev.hapax.app.crash.feature.Post.AGES;
import static dev.hapax.app.crash.feature.Post.PATIENT;
import static dev.hapax.app.crash.feature.Post.TIMEOUT;

import dev.hapax.flow.Approval;
import dev.hapax.flow.Decision;
import dev.hapax.flow.Effect;
import dev.hapax.flow.Flow;
import dev.hapax.flow.RunContext;
import dev.hapax.flow.StepFailed;
import dev.hapax.testkit.fault.SinkRequest.Mode;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Runs that wait for an answer: of people, in rounds, or of a system that was given a token. */
record Questions(Post post) {
  private static final Duration GRACE = Duration.ofSeconds(30);

  /** After it the ignored ones go on. */
  private static final Duration EXPIRES = Duration.ofMinutes(4);

  private static final int ROUNDS = 3;

  Flow<Case, String> offers() {
    return Flow.of(Case.Kind.OFFER.flow(), Case.class, String.class)
        .key(Case::key)
        .body(this::offer);
  }

  private String offer(RunContext run, Case offer) throws Exception {
    Decision decision =
        run.rounds(
            "approve",
            ROUNDS,
            (round, rework) -> {
              draft(round, offer, rework);
              Approval ask = Approval.ask(offer.key()).onReject(Approval.OnReject.CONTINUE);
              return offer.isIgnored()
                  ? ask.expires(EXPIRES).onExpire(Approval.OnExpire.APPROVE)
                  : ask;
            });
    String said = decision.decision().word() + " by " + decision.by();
    post.once(run, "sent", offer.key(), said);
    return said;
  }

  private void draft(RunContext round, Case offer, @Nullable Decision rework) {
    String comment = rework == null ? "first" : String.valueOf(rework.comment());
    round.effect(
        "draft",
        Effect.update(offer.key()).request(comment).upsert().timeout(TIMEOUT).retry(PATIENT),
        (wireKey, request) -> {
          post.send(Mode.UPSERT, "request", "draft " + offer.key() + " " + request, wireKey);
        });
  }

  Flow<Case, String> payments() {
    return Flow.of(Case.Kind.PAYMENT.flow(), Case.class, String.class)
        .key(Case::key)
        .body(this::collect);
  }

  private String collect(RunContext run, Case payment) {
    String token = run.callback("paid");
    run.effect(
        "invoice",
        Effect.create(payment.key()).keyed(AGES).timeout(TIMEOUT).retry(PATIENT),
        wireKey -> {
          post.send(Mode.KEYED, "request", "invoice " + payment.key() + " " + token, wireKey);
        });
    run.sleep("grace", GRACE);
    String paid = awaitPayment(run, payment);
    post.once(run, "booked", payment.key(), paid);
    return paid;
  }

  private static String awaitPayment(RunContext run, Case payment) {
    try {
      return run.awaitCallback("paid", payment.isIgnored() ? EXPIRES : null, String.class);
    } catch (StepFailed e) {
      return e.code();
    }
  }
}
