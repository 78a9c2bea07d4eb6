package dev.hapax.flows.step;

import dev.hapax.flow.RunContext;
import dev.hapax.flows.connection.Connection;
import dev.hapax.flows.connection.ConnectionKind;
import dev.hapax.flows.connection.Mail;
import dev.hapax.flows.expression.Position;
import dev.hapax.flows.expression.Template;
import dev.hapax.flows.expression.ValueTemplate;
import dev.hapax.flows.yaml.Fields;
import dev.hapax.flows.yaml.FileProblem;
import dev.hapax.flows.yaml.Shape;
import dev.hapax.flows.yaml.Types;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A mail; its Message-ID is made from the effect's key. */
record EmailStep(
    Position position,
    String connection,
    ValueTemplate to,
    @Nullable ValueTemplate cc,
    Template subject,
    @Nullable Template text,
    @Nullable Template html)
    implements SendingStep {
  static final StepForm FORM =
      StepForm.mapping(
              "email",
              "A mail.",
              EmailStep::read,
              Shape.of("email", "email")
                  .must("connection", Types.CONNECTION, "The mail server.")
                  .must("to", Types.VALUE, "The recipients: one address or a list.")
                  .may("cc", Types.VALUE, "The recipients of a copy.")
                  .must("subject", Types.TEMPLATE, "The subject, in one line.")
                  .may("text", Types.TEMPLATE, "The plain text.")
                  .may("html", Types.TEMPLATE, "The text as HTML.")
                  .build())
          .orCompensation("A mail.");

  private static EmailStep read(StepSource source) {
    Fields email = source.fields();
    if (!email.has("text") && !email.has("html")) {
      source.problem(
          FileProblem.SCHEMA,
          source.position(),
          "email needs text or html",
          "Add the text of the mail.");
    }
    return new EmailStep(
        source.position(),
        email.text("connection"),
        email.value("to"),
        email.valueOrNull("cc"),
        email.template("subject"),
        email.templateOrNull("text"),
        email.templateOrNull("html"));
  }

  @Override
  public String word() {
    return FORM.word();
  }

  @Override
  public ConnectionKind connectionKind() {
    return ConnectionKind.SMTP;
  }

  @Override
  public Stream<Template> templates() {
    return Templates.of(to, cc, subject, text, html);
  }

  @Override
  public @Nullable Object run(StepRun step) {
    EffectContract contract =
        Objects.requireNonNull(
            step.step().effect(), "check lets no mail through without an effect");
    return Guarded.prepared(
        step,
        () ->
            new Guarded(step, contract)
                .send(this, mail(step), (key, mail) -> send(step, mail, key)));
  }

  @Override
  public Object drafted(String key, Object request) {
    return Map.of("messageId", "<%s@hapax>".formatted(key));
  }

  @Override
  public RunContext.Action undoing(StepRun step, FlowStep.Compensate compensate) {
    return key -> send(step, mail(step), key);
  }

  private Map<String, Object> send(StepRun step, Mail mail, String key) throws Exception {
    Connection.Smtp smtp = step.services().connection(connection, Connection.Smtp.class);
    return Map.of(
        "messageId", step.services().wayOut().mail(smtp, mail, key, step.step().attemptTimeout()));
  }

  private Mail mail(StepRun preparing) {
    StepRun step = preparing.with(preparing.scope().asOneValue());
    return new Mail(
        addresses(step, to),
        cc == null ? List.of() : addresses(step, cc),
        step.text(subject),
        text == null ? null : step.text(text),
        html == null ? null : step.text(html));
  }

  private static List<String> addresses(StepRun step, ValueTemplate template) {
    Object value = template.value(step.scope());
    if (value instanceof Collection<?> many) {
      return many.stream().map(String::valueOf).toList();
    }
    return List.of(String.valueOf(value));
  }

  @Override
  public boolean writes() {
    return true;
  }

  @Override
  public String insteadOfKey() {
    return "Use none or lookup.";
  }

  @Override
  public String description() {
    return "mail to " + to.templates().map(Template::plain).collect(Collectors.joining(", "));
  }
}
