package dev.hapax.app.cli.bulk;

import dev.hapax.app.cli.connection.ServerClient;
import dev.hapax.app.cli.connection.ServerRequest;
import dev.hapax.app.cli.output.Exit;
import dev.hapax.app.cli.output.Item;
import dev.hapax.app.cli.output.Refusal;
import dev.hapax.app.cli.output.VerbAnswer;
import dev.hapax.app.cli.verb.ServerVerb;
import dev.hapax.app.cli.verb.VerbCall;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

/** A verb that begins a job. It shows what the job would act on and asks, unless --yes is given. */
abstract class BulkAct extends ServerVerb {
  private static final int SHOWN = 10;
  private static final int LONGEST_ANSWER = 100;

  @Parameters(
      paramLabel = "ID",
      arity = "0..*",
      description = "Only these; without ids, the options select.")
  List<String> ids = new ArrayList<>();

  @Mixin TimeSelection time = new TimeSelection();

  @Option(
      names = "--rate",
      paramLabel = "N",
      description = "The most items in a second, 1 to 10000; 100 unless given.")
  @Nullable Integer rate;

  @Option(
      names = "--plan",
      description = "Only select the items; 'hapax jobs apply' then lets the job act on them.")
  boolean planOnly;

  @Option(names = "--yes", description = "Act without showing the items and asking first.")
  boolean yes;

  /** The kind of the job. */
  abstract String kind();

  /** Adds what selects the items. */
  abstract void select(Map<String, Object> filter);

  /** Adds what the job needs to know besides. */
  void describe(Map<String, Object> body, VerbCall call) throws IOException {}

  static void put(Map<String, Object> members, String name, @Nullable Object value) {
    if (value != null) {
      members.put(name, value);
    }
  }

  @Override
  protected final VerbAnswer answer(VerbCall call, ServerClient server)
      throws IOException, InterruptedException {
    if (planOnly && yes) {
      throw Refusal.usage("--plan changes nothing, and --yes acts at once: choose one");
    }
    if (!planOnly && !yes && call.output().isJson()) {
      throw Refusal.usage("without a terminal, add --yes to act, or --plan to look");
    }
    Map<String, Object> body = body(call);
    if (yes) {
      JsonNode job = server.ask(ServerRequest.post("/api/jobs").json(body)).json();
      return VerbAnswer.of(job, JobText.sheet(new Item(job), call.paint()));
    }
    body.put("plan", true);
    Item plan = planned(server, server.ask(ServerRequest.post("/api/jobs").json(body)).json());
    String text = JobText.sheet(plan, call.paint()) + "\n" + JobText.results(plan, call.paint());
    if (plan.text("state").equals("failed")) {
      return VerbAnswer.of(plan.json(), text)
          .refused(Refusal.of(Exit.REFUSED, "not-planned", plan.text("problem")));
    }
    if (planOnly) {
      return VerbAnswer.of(plan.json(), text)
          .note("hapax jobs apply " + plan.text("id"))
          .exit(Exit.WAITS_FOR_PERSON);
    }
    if (plan.inner("totals").text("items").equals("0")) {
      return VerbAnswer.of(plan.json(), "nothing fits\n");
    }
    confirm(call, server, plan, text);
    JsonNode job =
        server.ask(ServerRequest.post("/api/jobs").json(Map.of("apply", plan.text("id")))).json();
    return VerbAnswer.of(job, "job %s is at work\n".formatted(plan.text("id")));
  }

  private Map<String, Object> body(VerbCall call) throws IOException {
    var filter = new LinkedHashMap<String, Object>();
    if (!ids.isEmpty()) {
      filter.put("ids", ids);
    }
    time.select(filter);
    select(filter);
    var body = new LinkedHashMap<String, Object>();
    body.put("kind", kind());
    body.put("filter", filter);
    put(body, "rate", rate);
    describe(body, call);
    return body;
  }

  /** Waits until the plan is complete. */
  private static Item planned(ServerClient server, JsonNode begun) throws InterruptedException {
    String id = new Item(begun).text("id");
    return Watch.until(
        "planning", () -> server.ask(ServerRequest.get("/api/jobs/{}", id).query("limit", SHOWN)));
  }

  private static void confirm(VerbCall call, ServerClient server, Item plan, String text)
      throws IOException {
    call.output().tell(text.stripTrailing());
    call.output()
        .progress(
            "%s these %s items? [y/N] "
                .formatted(plan.text("kind"), plan.inner("totals").text("items")));
    String typed = line(call.surroundings().in());
    if (!typed.equals("y") && !typed.equals("yes")) {
      server.ask(ServerRequest.post("/api/jobs/{}/cancel", plan.text("id")).json("{}"));
      throw Refusal.of(Exit.REFUSED, "not-confirmed", "nothing was changed");
    }
  }

  private static String line(InputStream in) throws IOException {
    var typed = new StringBuilder();
    for (int c = in.read(); c >= 0 && c != '\n' && typed.length() < LONGEST_ANSWER; c = in.read()) {
      typed.append((char) c);
    }
    return typed.toString().strip().toLowerCase(Locale.ROOT);
  }
}
