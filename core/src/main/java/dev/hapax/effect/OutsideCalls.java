package dev.hapax.effect;

import dev.hapax.flow.Effect;
import dev.hapax.flow.EffectRecord;
import dev.hapax.flow.Guard;
import dev.hapax.flow.Interceptor;
import dev.hapax.flow.NotApplied;
import dev.hapax.json.Text;
import dev.hapax.store.Store;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Calls the code that sends an effect or looks it up, each call on its own thread. */
final class OutsideCalls {
  private static final String NOT_OURS =
      "nothing was sent: the node's lease was not renewed in time";

  private static final String TOO_LATE =
      "nothing was sent: the window of the key closed while this node was paused";

  private final Store store;
  private final OpenAttempts open;
  private final Interceptor interceptor;
  private final EffectStep step;
  private final EffectIntent intent;
  private final Effect.Terms terms;
  private final Access access;
  private final LeaseTerm lease;
  private final CopySwitch copy;
  private @Nullable String request;

  OutsideCalls(EffectLedger.Parts parts, EffectIntent intent, Access access) {
    this.store = parts.store();
    this.open = parts.open();
    this.interceptor = parts.interceptor();
    this.step = intent.step();
    this.request = step.request(); // a first attempt has just stored it
    this.intent = intent;
    this.terms = step.effect().terms();
    this.access = access;
    this.lease = parts.lease();
    this.copy = parts.copy();
  }

  /** Sends. The destination's place is free again when this returns, or after its timeout. */
  AnswerMeaning send(EffectProgress progress, BooleanSupplier mayStill) {
    AnswerMeaning answer = answerTo(progress, mayStill);
    if (!(answer instanceof AnswerMeaning.NotCalled)) {
      access.heard(answer.isAnswer(), answer.retryAfter());
    }
    access.leave();
    return answer;
  }

  private AnswerMeaning answerTo(EffectProgress progress, BooleanSupplier mayStill) {
    String wireKey = intent.wireKey(progress.revision());
    String toSend = request;
    var isDecided = new AtomicBoolean(); // whether it is sent, or given up before
    var isSent = new AtomicBoolean();
    Attempt attempt =
        open.start(
            progress.effect(),
            progress.revision(),
            progress.attempt(),
            "hapax-attempt " + progress.claim().name(),
            () ->
                new AnswerMeaning.Done(
                    interceptor.send(
                        sending(progress, wireKey),
                        () -> sendWhileOurs(wireKey, toSend, mayStill, isDecided, isSent))));
    AnswerMeaning answer = attempt.await(terms.timeout());
    if (answer == null) {
      attempt.interrupt();
      if (isDecided.compareAndSet(false, true)) {
        return new AnswerMeaning.Nothing(NOT_OURS, null);
      }
      return new AnswerMeaning.Ambiguous(
          "attempt %d had not returned after %s".formatted(progress.attempt(), terms.timeout()));
    }
    return answer;
  }

  /**
   * The last check before the first byte. A node that was paused for long does not send, nor does
   * it resend after the window of the key. Nor does an attempt that waited here until its run
   * continued without it. An interceptor may call it again, to let a request arrive twice.
   */
  private String sendWhileOurs(
      String wireKey,
      @Nullable String request,
      BooleanSupplier mayStill,
      AtomicBoolean isDecided,
      AtomicBoolean isSent)
      throws Exception {
    copy.refuseIfOff(intent.who().tenant(), terms.destination());
    lease.await();
    if (!mayStill.getAsBoolean()) {
      throw new NotApplied(TOO_LATE);
    }
    if (!isSent.get() && !isDecided.compareAndSet(false, true)) {
      throw new NotApplied(NOT_OURS);
    }
    isSent.set(true);
    return step.sender().send(wireKey, request);
  }

  private Interceptor.Sending sending(EffectProgress progress, String wireKey) {
    RunPort.Identity who = intent.who();
    return new Interceptor.Sending(
        who.id().toString(),
        who.flow(),
        step.step().name(),
        step.step().item(),
        progress.claim().name(),
        progress.claim().key(),
        wireKey,
        step.guard().word(),
        progress.attempt());
  }

  /** Looks it up: done if it was found, nothing if it was not, ambiguous if that is unknown. */
  AnswerMeaning lookUp(Guard.Lookup lookup, EffectProgress progress) {
    AnswerMeaning answer = found(lookup, progress);
    if (answer instanceof AnswerMeaning.NotCalled) {
      return answer;
    }
    boolean isAnswer = !(answer instanceof AnswerMeaning.Ambiguous) || answer.isAnswer();
    access.heard(isAnswer, answer.retryAfter());
    return answer;
  }

  private AnswerMeaning found(Guard.Lookup lookup, EffectProgress progress) {
    String wireKey = intent.wireKey(progress.revision());
    Attempt read =
        open.read(
            "hapax-lookup " + progress.claim().name(),
            () -> {
              Optional<?> found;
              try {
                found = interceptor.work(looking(), () -> lookup.by().find(wireKey));
              } catch (NotApplied e) { // not asked is not "not found"
                AnswerMeaning why = AnswerMeaning.of(e);
                if (why instanceof AnswerMeaning.NotCalled) {
                  return why;
                }
                return new AnswerMeaning.Ambiguous(
                    Text.storable(String.valueOf(e.getMessage())), e.retryAfter());
              }
              if (found == null) {
                return new AnswerMeaning.Ambiguous(
                    "the lookup returned null: it must return Optional.empty() if nothing was found");
              }
              return found.isPresent()
                  ? new AnswerMeaning.Done(Payload.write(found.get()))
                  : new AnswerMeaning.Nothing("not found", null);
            });
    AnswerMeaning answer = read.await(terms.timeout());
    if (answer == null) {
      read.interrupt();
      return new AnswerMeaning.Ambiguous("it had not returned after " + terms.timeout());
    }
    return switch (answer) {
      case AnswerMeaning.Refusal refusal -> new AnswerMeaning.Ambiguous(refusal.evidence());
      case AnswerMeaning.Mistake mistake -> new AnswerMeaning.Ambiguous(mistake.evidence());
      case AnswerMeaning.DoneUnreadable unreadable ->
          new AnswerMeaning.Ambiguous(unreadable.evidence());
      default -> answer;
    };
  }

  private Interceptor.Work looking() {
    RunPort.Identity who = intent.who();
    return new Interceptor.Work(
        who.id().toString(), who.flow(), step.step().name(), step.step().item(), true);
  }

  /**
   * Called before the intent of another attempt, which sends the bytes that the first one stored,
   * never newly rendered ones. If the store cannot return them now, no attempt may be recorded that
   * was never made.
   */
  void readRequest(EffectProgress progress) {
    EffectRecord row = step.request() == null ? null : store.effect(progress.effect());
    request = row == null ? step.request() : row.request();
  }
}
