package dev.hapax.flows.step;

import dev.hapax.flows.connection.Connection;
import dev.hapax.flows.connection.Mail;
import dev.hapax.flows.expression.Template;
import dev.hapax.flows.expression.ValueTemplate;
import dev.hapax.flows.file.EffectContract;
import dev.hapax.flows.file.EffectContract.GuardBlock;
import dev.hapax.flows.file.StepKind;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Sends a mail; its Message-ID is made from the effect's key. */
final class EmailStep {
  private EmailStep() {}

  static @Nullable Object run(StepRun step, StepKind.Email email) {
    EffectContract contract =
        Objects.requireNonNull(
            step.step().effect(), "check lets no mail through without an effect");
    return Guarded.prepared(
        step,
        () ->
            new Guarded(step, contract)
                .send(
                    mail(step, email),
                    new Destination(step, email),
                    (key, mail) -> send(step, email, mail, key)));
  }

  static Map<String, Object> send(StepRun step, StepKind.Email email, Mail mail, String key)
      throws Exception {
    Connection.Smtp smtp = step.services().connection(email.connection(), Connection.Smtp.class);
    return Map.of(
        "messageId", step.services().mailer().send(smtp, mail, key, step.step().attemptTimeout()));
  }

  static Mail mail(StepRun step, StepKind.Email email) {
    return new Mail(
        addresses(step, email.to()),
        email.cc() == null ? List.of() : addresses(step, email.cc()),
        step.text(email.subject()),
        text(step, email.text()),
        text(step, email.html()));
  }

  private static @Nullable String text(StepRun step, @Nullable Template template) {
    return template == null ? null : step.text(template);
  }

  private static List<String> addresses(StepRun step, ValueTemplate template) {
    Object value = template.value(step.scope());
    if (value instanceof Collection<?> many) {
      return many.stream().map(String::valueOf).toList();
    }
    return List.of(String.valueOf(value));
  }

  private record Destination(StepRun step, StepKind.Email email) implements Guarded.Destination {
    @Override
    public String connection() {
      return email.connection();
    }

    @Override
    public Object drafted(String key) {
      return Map.of("messageId", "<%s@hapax>".formatted(key));
    }

    @Override
    public Duration window() {
      throw new IllegalStateException("check lets no mail through that is keyed");
    }

    @Override
    public Optional<?> find(GuardBlock.Lookup lookup) throws Exception {
      return new HttpStep(step, lookup.http(), null).find(lookup);
    }
  }
}
