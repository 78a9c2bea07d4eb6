package dev.hapax.flows.step;

import dev.hapax.flow.Ambiguous;
import dev.hapax.flow.Rejected;
import dev.hapax.flow.RunContext;
import dev.hapax.flows.connection.Connection;
import dev.hapax.flows.connection.ConnectionKind;
import dev.hapax.flows.connection.RemoteAnswer;
import dev.hapax.flows.connection.RemoteOrder;
import dev.hapax.flows.connection.RemoteState;
import dev.hapax.flows.expression.Position;
import dev.hapax.flows.expression.Template;
import dev.hapax.flows.expression.ValueTemplate;
import dev.hapax.flows.yaml.Fields;
import dev.hapax.flows.yaml.FileProblem;
import dev.hapax.flows.yaml.Shape;
import dev.hapax.flows.yaml.Type;
import dev.hapax.flows.yaml.Types;
import dev.hapax.json.Json;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A job on another machine: begun, read or canceled. The effect's wire key is the job's token, so
 * the machine begins the job of an effect once.
 */
record SshStep(
    Position position,
    String connection,
    @Nullable String command,
    @Nullable ValueTemplate args,
    boolean isDetached,
    @Nullable Template job,
    @Nullable Template cancel)
    implements SendingStep {
  private static final String WORD = "ssh";
  private static final int MOST_SHOWN = 300;
  private static final int MOST_ARGUMENTS = 1_000;

  private static final Set<RemoteState> HAS_BEGUN =
      Set.of(RemoteState.RUNNING, RemoteState.ENDED, RemoteState.CANCELED);

  static final StepForm FORM =
      StepForm.mapping(
              WORD,
              "A job on another machine.",
              SshStep::read,
              Shape.of(WORD, WORD)
                  .must("connection", Types.CONNECTION, "The machine.")
                  .may(
                      "run",
                      Types.TEXT,
                      "The command that begins the job: a constant text for the machine's shell.")
                  .may(
                      "args",
                      Types.VALUE,
                      "A list of arguments, which follow the command; Hapax quotes each of them.")
                  .may(
                      "detach",
                      new Type.Flag(),
                      "Whether the step is done when the job has begun, with the output `{job}`;"
                          + " default false.")
                  .may(
                      "job",
                      Types.TEMPLATE,
                      "Instead of `run`: the job of an earlier step with `detach`, whose state and"
                          + " output are read.")
                  .may("cancel", Types.TEMPLATE, "Instead of `run`: the job that is canceled.")
                  .build())
          .orCompensation("A command, or the cancel of a job.");

  private static SshStep read(StepSource source) {
    Fields ssh = source.fields();
    long forms = Stream.of("run", "job", "cancel").filter(ssh::has).count();
    if (forms != 1) {
      source.problem(
          FileProblem.SCHEMA,
          source.position(),
          "ssh needs exactly one of run, job and cancel, got %d".formatted(forms),
          "Use run to begin a job, job to read one, cancel to end one.");
    }
    String command = ssh.textOrNull("run");
    if (command != null) {
      refuseBad(source, ssh, command);
    } else if (ssh.has("args") || ssh.has("detach")) {
      source.problem(
          FileProblem.SCHEMA,
          source.position(),
          "args and detach belong to run",
          "Remove them, or use run.");
    }
    return new SshStep(
        source.position(),
        ssh.text("connection"),
        command,
        ssh.valueOrNull("args"),
        ssh.has("detach") && ssh.flag("detach"),
        ssh.templateOrNull("job"),
        ssh.templateOrNull("cancel"));
  }

  private static void refuseBad(StepSource source, Fields ssh, String command) {
    if (command.isBlank() || command.indexOf('\0') >= 0) {
      source.problem(
          FileProblem.TYPE, ssh.position("run"), "run: expected a command", "Write the command.");
    }
  }

  @Override
  public String word() {
    return FORM.word();
  }

  @Override
  public ConnectionKind connectionKind() {
    return ConnectionKind.SSH;
  }

  @Override
  public Stream<Template> templates() {
    return Stream.concat(Templates.of(args), Templates.of(job, cancel));
  }

  @Override
  public boolean writes() {
    return job == null;
  }

  @Override
  public boolean isIdempotent() {
    return cancel != null;
  }

  @Override
  public boolean boundsItsOutput() {
    return true;
  }

  @Override
  public String request() {
    return cancel == null ? WORD : WORD + " cancel";
  }

  @Override
  public @Nullable String target() {
    return command;
  }

  @Override
  public String description() {
    return command != null
        ? "%s: %s".formatted(connection, command.strip())
        : job != null
            ? "%s: read job %s".formatted(connection, job.plain())
            : "%s: cancel job %s".formatted(connection, cancel == null ? "" : cancel.plain());
  }

  // ---- execution

  /** The request as it is stored: exactly one of the members is given. */
  record Request(
      @Nullable String run, @Nullable List<String> args, boolean detach, @Nullable String cancel) {}

  @Override
  public @Nullable Object run(StepRun step) {
    EffectContract contract = step.step().effect();
    Duration timeout = step.step().attemptTimeout();
    if (job != null) {
      String token = Guarded.prepared(step, () -> token(step, job));
      return step.run()
          .read(
              step.id(),
              step.read(connection),
              () -> step.isDraft() ? step.sample(drafted()) : look(step, token, timeout),
              Object.class);
    }
    if (contract == null || Guarded.isRead(contract)) {
      Request request = Guarded.prepared(step, () -> request(step));
      return step.run()
          .read(
              step.id(),
              step.read(connection),
              () ->
                  step.isDraft()
                      ? step.sample(drafted())
                      : send(step, anyToken(step), request, timeout),
              Object.class);
    }
    return Guarded.prepared(
        step,
        () ->
            new Guarded(step, contract)
                .send(this, request(step), (key, sent) -> send(step, key, sent, timeout)));
  }

  @Override
  public Object drafted(String key, Object request) {
    return isDetached ? Map.of("job", key) : drafted();
  }

  private Object drafted() {
    if (command != null) {
      return output(RemoteAnswer.DONE);
    }
    return job == null
        ? Map.of("state", RemoteState.CANCELED.word())
        : withState(RemoteAnswer.DONE, output(RemoteAnswer.DONE));
  }

  /** The machine remembers a job for as long as it keeps the job's folder. */
  @Override
  public Duration keyWindow(StepRun step) {
    return step.services().connections().find(connection).orElse(null) instanceof Connection.Ssh ssh
        ? ssh.keep()
        : Connection.Ssh.USUAL_KEEP;
  }

  @Override
  public RunContext.Action undoing(StepRun step, FlowStep.Compensate compensate) {
    return key -> {
      Request request = request(step);
      var _ = send(step, key, request, compensate.attemptTimeout(), () -> false);
    };
  }

  private Request request(StepRun step) {
    if (cancel != null) {
      return new Request(null, null, false, token(step, cancel));
    }
    return new Request(command, arguments(step), isDetached, null);
  }

  private List<String> arguments(StepRun step) {
    Object value = args == null ? List.of() : args.value(step.scope().asOneValue());
    var texts = new ArrayList<String>();
    for (Object one : value instanceof Collection<?> many ? many : java.util.Arrays.asList(value)) {
      String text = one == null ? "" : one instanceof String given ? given : Json.write(one);
      if (text.indexOf('\0') >= 0) {
        throw step.failed("bad-argument", "an argument of a command cannot have a zero character");
      }
      texts.add(text);
    }
    if (texts.size() > MOST_ARGUMENTS) {
      throw step.failed(
          "bad-argument",
          "a command takes at most %d arguments, got %d".formatted(MOST_ARGUMENTS, texts.size()));
    }
    return texts;
  }

  private static String token(StepRun step, Template template) {
    String token = step.text(template);
    if (!token.matches("[a-z0-9]{1,64}")) {
      throw step.failed(
          "bad-job",
          "expected a job as 'steps.<id>.output.job' of an earlier step names it, got '%s'"
              .formatted(step.services().redact(token)));
    }
    return token;
  }

  /** A command that only reads is a new job for each attempt. */
  private static String anyToken(StepRun step) {
    return "read%016x".formatted(step.services().random().nextLong());
  }

  private Object send(StepRun step, String key, Request request, Duration timeout)
      throws Exception {
    return send(step, key, request, timeout, step.run()::isStopRequested);
  }

  private Object send(
      StepRun step, String key, Request request, Duration timeout, BooleanSupplier isToEnd)
      throws Exception {
    if (request.cancel() != null) {
      RemoteAnswer answer =
          ask(step, new RemoteOrder.Cancel(request.cancel()), timeout, () -> false);
      return Map.of("state", answer.state().word());
    }
    if (request.run() == null) {
      throw new IllegalStateException("a request has a command, or a job that it cancels");
    }
    List<String> given = request.args() == null ? List.of() : request.args();
    var order = RemoteOrder.Start.of(key, request.run(), given, request.detach());
    RemoteAnswer answer = ask(step, order, timeout, isToEnd);
    if (request.detach() && HAS_BEGUN.contains(answer.state())) {
      return Map.of("job", key);
    }
    return switch (answer.state()) {
      case ENDED -> ended(step, answer);
      case CANCELED -> throw Rejected.stored("job-canceled", "the job was canceled");
      case RUNNING, WAITING ->
          throw new Ambiguous("the job is still running on its machine", null, true);
      case CONFLICT ->
          throw new Ambiguous(
              "the machine knows the job's token with another command", null, false);
      case LOST ->
          throw new Ambiguous(
              "the job began and is gone without an exit code: it was killed, or its machine was"
                  + " restarted",
              null,
              false);
      case UNKNOWN, REFUSED ->
          throw new Ambiguous("the machine did not say that the job began", null, true);
    };
  }

  private static Object ended(StepRun step, RemoteAnswer answer) {
    Map<String, @Nullable Object> output = output(answer);
    if (Integer.valueOf(0).equals(answer.exit())) {
      return redacted(step, output);
    }
    throw Rejected.stored(
        "exit-" + answer.exit(),
        "the job ended with exit code %d%s".formatted(answer.exit(), said(step, answer)));
  }

  /** The end of what it said last, without secrets. */
  private static String said(StepRun step, RemoteAnswer answer) {
    Object words =
        answer.stderr() instanceof String text && !text.isBlank()
            ? answer.stderr()
            : answer.stdout();
    String text = words instanceof String given ? step.services().redact(given).strip() : "";
    String end =
        text.length() <= MOST_SHOWN ? text : "…" + text.substring(text.length() - MOST_SHOWN);
    return end.isEmpty() ? "" : ": " + end;
  }

  private Object look(StepRun step, String token, Duration timeout) throws Exception {
    RemoteAnswer answer = ask(step, new RemoteOrder.Look(token), timeout, () -> false);
    if (answer.state() == RemoteState.UNKNOWN) {
      throw new Rejected(
          "unknown-job",
          "host of connection '%s' knows no job '%s': it never began there, or is older than 'keep' of the connection"
              .formatted(connection, token));
    }
    return redacted(step, withState(answer, output(answer)));
  }

  private RemoteAnswer ask(
      StepRun step, RemoteOrder order, Duration timeout, BooleanSupplier isToEnd) throws Exception {
    Connection.Ssh ssh = step.services().connection(connection, Connection.Ssh.class);
    return step.services().wayOut().remote(ssh, order, timeout, new LargeAnswers(step), isToEnd);
  }

  private static Map<String, @Nullable Object> output(RemoteAnswer answer) {
    var output = new LinkedHashMap<String, @Nullable Object>();
    output.put("exit", answer.exit());
    output.put("stdout", answer.stdout());
    output.put("stderr", answer.stderr());
    return output;
  }

  private static Map<String, @Nullable Object> withState(
      RemoteAnswer answer, Map<String, @Nullable Object> output) {
    var all = new LinkedHashMap<String, @Nullable Object>();
    all.put("state", answer.state().word());
    all.putAll(output);
    return all;
  }

  private static Object redacted(StepRun step, Map<String, @Nullable Object> output) {
    Object clean = step.redacted(output);
    return clean == null ? output : clean;
  }
}
