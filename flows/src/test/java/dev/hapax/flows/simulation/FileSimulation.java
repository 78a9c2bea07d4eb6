package dev.hapax.flows.simulation;

import dev.hapax.Approvals;
import dev.hapax.Hapax;
import dev.hapax.Settlement;
import dev.hapax.Verdict;
import dev.hapax.flow.ApprovalFilter;
import dev.hapax.flow.EffectFilter;
import dev.hapax.flow.EffectRecord;
import dev.hapax.flow.EffectState;
import dev.hapax.flow.Flow;
import dev.hapax.flow.NotFound;
import dev.hapax.flow.Run;
import dev.hapax.flow.RunFilter;
import dev.hapax.flow.RunStatus;
import dev.hapax.flow.SqlDatabase;
import dev.hapax.flow.Step;
import dev.hapax.flow.WaitState;
import dev.hapax.flows.BadFlowFile;
import dev.hapax.flows.FlowFiles;
import dev.hapax.flows.LoadedFlow;
import dev.hapax.flows.connection.BrokerClients;
import dev.hapax.flows.connection.Connection;
import dev.hapax.flows.connection.Databases;
import dev.hapax.flows.connection.Egress;
import dev.hapax.flows.connection.NetworkWayOut;
import dev.hapax.flows.connection.Redaction;
import dev.hapax.flows.connection.Secrets;
import dev.hapax.flows.connection.WebhookCourier;
import dev.hapax.json.Json;
import dev.hapax.run.journal.RunEntry;
import dev.hapax.run.wait.Wait;
import dev.hapax.store.Store;
import dev.hapax.testkit.simulation.Choices;
import dev.hapax.testkit.simulation.Course;
import dev.hapax.testkit.simulation.Fault;
import dev.hapax.testkit.simulation.Mutation;
import dev.hapax.time.Clock;
import dev.hapax.time.Ports;
import dev.hapax.time.RandomSource;
import java.net.InetAddress;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Generated flow files, read, checked and interpreted by the real code over the simulated engine,
 * with crashes and lost answers; what was done is held against {@link FileModel}.
 */
final class FileSimulation implements Course.Play {
  private static final String TENANT = "default";
  private static final Set<Fault> FAULTS =
      EnumSet.of(
          Fault.NODE_CRASHES,
          Fault.NODE_CLOSES,
          Fault.COMMIT_UNKNOWN_NOT_LANDED,
          Fault.COMMIT_UNKNOWN_LANDED,
          Fault.COMMIT_LANDS_AFTER_ITS_ERROR,
          Fault.STORE_SLOW,
          Fault.STORE_FULL,
          Fault.STORE_BROKEN,
          Fault.REQUEST_LOST,
          Fault.REQUEST_REFUSED,
          Fault.REQUEST_REJECTED,
          Fault.ANSWER_LOST,
          Fault.ERROR_AFTER_APPLYING,
          Fault.CODE_REGISTERED_LATE);

  private static final Connection MAIL =
      new Connection.Smtp(
          "mail",
          "world.test",
          World.MAIL_PORT,
          Connection.Smtp.Tls.NONE,
          "shop@world.test",
          null,
          null,
          Set.of());

  private final List<PlannedFile> files;
  private final List<String> runs;
  private final List<String> problems = new ArrayList<>();
  private final List<LoadedFlow> loaded = new ArrayList<>();
  private final Set<String> answered = new HashSet<>();
  private final Egress egress = Egress.over(address(), (to, timeout) -> world().dial(to, timeout));
  private @Nullable World world;
  private @Nullable Course course;

  /** Reads the files: no turn of the simulation waits for that. */
  private FileSimulation(List<PlannedFile> files, List<String> runs) {
    this.files = files;
    this.runs = runs;
    FlowFiles flowFiles = flowFiles();
    try {
      for (PlannedFile file : files.reversed()) {
        loaded.addFirst(flowFiles.load(file.name(), FileText.of(file), 1));
      }
    } catch (BadFlowFile e) {
      problems.add("Refused: " + e.getMessage());
    }
  }

  private FlowFiles flowFiles() {
    return FlowFiles.with(new Ports(new CourseClock(), new Chance(), Ports.system().threads()))
        .egress(egress)
        .connections(this::connection)
        .handler("world", (input, key) -> world().handle(input, key))
        .liveFiles(
            name ->
                loaded.stream()
                    .map(LoadedFlow::file)
                    .filter(file -> file.name().equals(name))
                    .findFirst()
                    .orElse(null))
        .open();
  }

  private Optional<Connection> connection(String name) {
    return switch (name) {
      case "world" -> Optional.of(Connection.Http.of("world", "http://world.test"));
      case "mail" -> Optional.of(MAIL);
      case "books" -> Optional.of(new Connection.Database("books", books()));
      case "pager" -> Optional.of(webhook(name, "/pager"));
      case "hook" -> Optional.of(webhook(name, "/publish"));
      default -> Optional.empty();
    };
  }

  private static Connection webhook(String name, String path) {
    URI address = URI.create("http://world.test" + path);
    return new Connection.Webhook(name, address, null, Set.of());
  }

  /** That of the machine, which is there later than the files. */
  private final class CourseClock implements Clock {
    @Override
    public Instant now() {
      return course().clock().now();
    }

    @Override
    public long nanos() {
      return course().clock().nanos();
    }
  }

  /** What expressions draw is of no importance here. */
  private static final class Chance implements RandomSource {
    private final SplittableRandom random = new SplittableRandom(1);

    @Override
    public long nextLong() {
      return random.nextLong();
    }

    @Override
    public double nextDouble() {
      return random.nextDouble();
    }
  }

  /**
   * The outcome of one course of events.
   *
   * @param problems none if everything is as the model says
   * @param text the files, as a person reads them
   * @param choices that lead there again
   */
  record Result(
      List<String> problems, String text, List<Integer> choices, Course.Outcome outcome) {}

  /** What is wrong with a seed; nothing if all is well. */
  static List<String> problems(long seed) {
    return run(Choices.of(seed), Mutation.NONE, false).problems();
  }

  static Result run(Choices choices, Mutation mutation, boolean readable) {
    List<PlannedFile> files = FileGenerator.draw(choices);
    List<String> runs = choices.below(2) == 0 ? List.of("A") : List.of("A", "B");
    var simulation = new FileSimulation(files, runs);
    String text = files.stream().map(FileText::of).collect(Collectors.joining("---\n"));
    Course.Outcome outcome = Course.run(choices, FAULTS, simulation, mutation, readable);
    List<String> problems = new ArrayList<>(outcome.problems());
    problems.addAll(simulation.problems);
    if (problems.isEmpty()) {
      simulation.compare(outcome, problems);
    }
    return new Result(problems, text, choices.taken(), outcome);
  }

  // ---- the course of events

  @Override
  public List<? extends Flow<?, ?>> flows(Course of) {
    course = of;
    world = new World(of);
    return loaded.stream().map(LoadedFlow::flow).toList();
  }

  private static InetAddress address() {
    try {
      return InetAddress.getByAddress(new byte[] {93, (byte) 184, (byte) 216, 34});
    } catch (java.net.UnknownHostException e) {
      throw new IllegalStateException(e);
    }
  }

  private Course course() {
    return Objects.requireNonNull(course);
  }

  /** The world is made later than the files. */
  private SqlDatabase books() {
    return new SqlDatabase() {
      @Override
      public String once(String marker, Work<Session> work) throws Exception {
        return world().commit(marker, work);
      }

      @Override
      public SqlDatabase.Result run(String sql, Map<String, ? extends @Nullable Object> params) {
        throw new UnsupportedOperationException(sql);
      }
    };
  }

  private World world() {
    return Objects.requireNonNull(world);
  }

  @Override
  public void opened(Hapax hapax) {
    var redaction = new Redaction();
    var clock = course().clock();
    var wayOut =
        new NetworkWayOut(
            egress, Secrets.NONE, redaction, clock, Databases.Driver.NONE, BrokerClients.NONE);
    for (String destination : List.of(WebhookCourier.ANYWHERE, "hook")) {
      hapax
          .outbox()
          .courier(
              destination,
              new WebhookCourier(
                  destination, this::connection, wayOut, Secrets.NONE, redaction, clock));
    }
    flowFiles().openChannels(hapax); // it opens them once, and a crash replaces the engine
  }

  @Override
  public void begin(Course of) {
    if (!problems.isEmpty()) {
      return;
    }
    for (String id : runs) {
      Map<String, Object> input =
          Map.of("id", id, "yes", true, "no", false, "hostile", HostileValues.input());
      if (of.choices().below(4) == 1) {
        of.ask(hapax -> loaded.getFirst().start(hapax, input)); // and once more
      }
      while (!of.ask(hapax -> loaded.getFirst().start(hapax, input))) {
        of.sleep(Duration.ofSeconds(5));
      }
    }
  }

  @Override
  public void answer(Course of) {
    List.copyOf(world().tokens().entrySet())
        .forEach(
            token -> {
              String step = token.getValue().substring(0, token.getValue().indexOf("ask "));
              boolean isSilent =
                  partOf(step).decisions().getFirst() == Part.Decision.SILENCE_REJECTS;
              if (!isSilent
                  && !answered.contains(token.getKey())
                  && of.ask(
                      hapax ->
                          hapax
                              .callbacks()
                              .answer(token.getKey(), "answer to " + token.getValue()))) {
                answered.add(token.getKey());
              }
            });
    for (String link : List.copyOf(world().links())) {
      String token = link.substring(link.lastIndexOf('/') + 1);
      of.ask(hapax -> known(hapax, token));
    }
    var open = ApprovalFilter.of(TENANT).state(WaitState.OPEN);
    for (Wait wait : of.store().waits().approvals(open)) {
      Verdict verdict = verdict(wait.step());
      boolean isKnown =
          !partOf(wait.step().name()).isAnnounced() || world().people().hasHeardOf(wait);
      if (verdict != null && isKnown) {
        of.ask(hapax -> hapax.approvals().decide(wait.id(), verdict));
      }
    }
    for (EffectRecord effect :
        of.store().effects(EffectFilter.of(TENANT).state(EffectState.REVIEW))) {
      settle(of, effect);
    }
    for (Run run : of.store().runs(RunFilter.of(TENANT).status(RunStatus.REVIEW))) {
      if (run.isQuarantined()) { // it was alone at two crashes in a row
        of.ask(hapax -> hapax.resume(run.id().toString(), "ann", "nothing is wrong with it"));
      }
    }
  }

  /** A link that has reached the world was durable before. */
  private void known(Hapax hapax, String link) {
    try {
      Approvals.Linked linked = hapax.approvals().linked(link);
      if (!"ann".equals(linked.approver())) {
        problems.add("a link for another person: " + linked);
      }
    } catch (NotFound e) {
      problems.add("a link that nobody knows was sent: " + link);
    }
  }

  /** The destinations refuse nothing any more, and people retry what failed. */
  @Override
  public void goOn(Course of) {
    if (files.stream().anyMatch(PlannedFile::compensates)) {
      return; // a child that was undone cannot go on
    }
    world().repair();
    for (Run run : mainRuns(of.store())) {
      if (run.status().canBeRetried()) {
        of.ask(hapax -> hapax.retry(run.id().toString(), "ann"));
      }
    }
  }

  private static List<Run> mainRuns(Store store) {
    return store.runs(new RunFilter(TENANT, "main", null, null, null, 100));
  }

  private static boolean wasRetried(Store store, Run run) {
    return store.journal(run.number()).stream()
        .flatMap(row -> row.readEntries().stream())
        .anyMatch(RunEntry.Retried.class::isInstance);
  }

  private Part partOf(String step) {
    return files.stream()
        .flatMap(file -> Part.all(file.parts()))
        .filter(one -> one.id().equals(step))
        .findFirst()
        .orElseThrow();
  }

  /** Null if no answer comes. */
  private @Nullable Verdict verdict(Step step) {
    Part part = partOf(step.name());
    int round = part.does() == Part.Does.REWORK ? step.roundNumber() : 1;
    return switch (part.decisions().get(round - 1)) {
      case SILENCE_APPROVES, SILENCE_REJECTS -> null;
      case APPROVE -> Verdict.approve("ann").roles("editor");
      case REJECT, REJECT_MILDLY -> Verdict.reject("ann").roles("editor");
      case REWORK -> Verdict.rework("ann", "r" + (round + 1)).roles("editor");
    };
  }

  /** The person who is asked looks at the destination. */
  private void settle(Course of, EffectRecord effect) {
    Part part = partOf(effect.step().name());
    if (part.does() == Part.Does.SAME_KEY) { // a round has met it with other content
      Settlement decided =
          part.reworked() == Part.Reworked.KEPT
              ? Settlement.happened(null, "it may stay", "ann")
              : Settlement.notHappened("it was taken back by hand", "ann");
      of.ask(hapax -> hapax.settle(effect.id(), decided));
      return;
    }
    String label = labelOf(of, effect);
    Settlement settlement =
        world().done().contains(label)
            ? Settlement.happened(
                Map.of("status", 200, "body", Map.of("label", label)), "it is there", "ann")
            : Settlement.notHappened("it is not there", "ann");
    of.ask(hapax -> hapax.settle(effect.id(), settlement));
  }

  private static String labelOf(Course of, EffectRecord effect) {
    Run run = Objects.requireNonNull(of.store().run(effect.run()));
    Object input = Json.read(run.input(), Object.class);
    // The key of an effect is its label without the step.
    return effect.step().name() + " " + (input instanceof Map<?, ?> ? effect.key().key() : "");
  }

  // ---- what must be

  private void compare(Course.Outcome outcome, List<String> wrong) {
    List<String> done = new ArrayList<>(world().done());
    List<String> published = new ArrayList<>(world().published().values());
    Set<String> asked = new HashSet<>();
    for (String id : runs) {
      Run run =
          mainRuns(outcome.store()).stream()
              .filter(one -> one.key().equals(id))
              .findFirst()
              .orElseThrow();
      boolean isRetried = wasRetried(outcome.store(), run);
      FileModel.Expected expected =
          isRetried ? FileModel.ofRetried(files, id) : FileModel.of(files, id);
      if (run.status() != expected.status()) {
        wrong.add(
            "Status: run %s is %s, must be %s: %s"
                .formatted(id, run.status(), expected.status(), run.error()));
      }
      asked.addAll(expected.asked());
      expected.reworked().forEach(how -> outcome.tally().count("file: rework " + how));
      compareSent(expected, done, isRetried, wrong);
      compareOutputs(run, expected, wrong);
      expected
          .carried()
          .forEach(
              (label, value) -> {
                if (!world().carried().getOrDefault(label, value).equals(value)) {
                  wrong.add("Changed: the value of '%s' is not what was given".formatted(label));
                }
              });
      for (String label : expected.published()) {
        if (!published.remove(label)) {
          wrong.add("Lost: message '%s' was not delivered".formatted(label));
        }
      }
    }
    compareFences(wrong);
    world().people().compareQuestions(asked, wrong);
    if (world().people().countOfQuestions() > 0) {
      outcome.tally().count("file: approval announced");
    }
    new AlertedRuns(files, outcome).compare(world().people(), wrong);
    published.forEach(label -> wrong.add("Unwanted: message '%s'".formatted(label)));
    done.forEach(
        label -> wrong.add("Unwanted: '%s' was sent, and nothing says so".formatted(label)));
  }

  /**
   * Each holder of a lock has a larger fence than all before it; items share that of their step.
   */
  private void compareFences(List<String> wrong) {
    Map<String, Long> last = new HashMap<>();
    world()
        .fences()
        .forEach(
            (label, text) -> {
              String step = label.substring(0, label.indexOf(' '));
              long fence = Long.parseLong(text);
              Long before = last.put(step, fence);
              boolean mayBeEqual = partOf(step).items() > 0;
              if (before != null && (fence < before || (fence == before && !mayBeEqual))) {
                wrong.add("Fence: '%s' has %d after %d".formatted(label, fence, before));
              }
            });
  }

  /** A step that a retry repeated came later than the steps after it. */
  private void compareSent(
      FileModel.Expected expected, List<String> left, boolean inAnyOrder, List<String> wrong) {
    List<String> order = world().done();
    for (FileModel.Sending sending : expected.sendings()) {
      int times = take(left, sending.label());
      boolean isRight =
          switch (sending.guard()) {
            case UPSERT -> times >= 1;
            case SKIP -> times <= 1;
            default -> times == 1;
          };
      if (!isRight) {
        wrong.add(
            "%s: '%s' was sent %d times"
                .formatted(times == 0 ? "Lost" : "Doubled", sending.label(), times));
      }
    }
    for (List<FileModel.Sending> ofOneRun : expected.undos()) {
      for (FileModel.Sending sending : ofOneRun) {
        String undo = "undo " + sending.label();
        int times = take(left, undo);
        if (times != 1) {
          wrong.add(
              "%s: '%s' was sent %d times".formatted(times == 0 ? "Lost" : "Doubled", undo, times));
        }
      }
    }
    if (!inAnyOrder) {
      compareOrder(expected.sendings(), "", order, false, wrong);
      expected.undos().forEach(undos -> compareOrder(undos, "undo ", order, true, wrong));
    }
  }

  private static void compareOrder(
      List<FileModel.Sending> sendings,
      String prefix,
      List<String> order,
      boolean isReverse,
      List<String> wrong) {
    for (FileModel.Sending one : sendings) {
      for (FileModel.Sending other : sendings) {
        if (one.isBefore(other)) {
          int first = order.indexOf(prefix + (isReverse ? other : one).label());
          int second = order.indexOf(prefix + (isReverse ? one : other).label());
          if (first >= 0 && second >= 0 && first > second) {
            wrong.add("Order: '%s' before '%s'".formatted(order.get(second), order.get(first)));
          }
        }
      }
    }
  }

  private static int take(List<String> from, String label) {
    int times = 0;
    while (from.remove(label)) {
      times++;
    }
    return times;
  }

  private void compareOutputs(Run run, FileModel.Expected expected, List<String> wrong) {
    if (run.output() == null
        || !(Json.read(run.output(), Object.class) instanceof Map<?, ?> output)) {
      return; // it has none, as its status says
    }
    expected
        .outputs()
        .forEach(
            (id, value) -> {
              Object items = output.get(id + "items");
              if (!Outputs.isLike(value, output.get(id))
                  || (output.containsKey(id + "items") && !Outputs.areItems(value, items))) {
                wrong.add(
                    "Output: of step %s in run %s is %s with items %s, must be %s"
                        .formatted(id, run.key(), output.get(id), items, value));
              }
            });
  }
}
