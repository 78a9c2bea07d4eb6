package dev.hapax.app.cli.runs;

import dev.hapax.app.cli.connection.ServerClient;
import dev.hapax.app.cli.connection.ServerReply;
import dev.hapax.app.cli.connection.ServerRequest;
import dev.hapax.app.cli.output.Item;
import dev.hapax.app.cli.output.Paint;
import dev.hapax.app.cli.output.Table;
import dev.hapax.app.cli.output.VerbAnswer;
import dev.hapax.app.cli.output.Words;
import dev.hapax.app.cli.verb.VerbCall;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import tools.jackson.databind.JsonNode;

@Command(
    name = "explain",
    description = {
      "Explains what happened in a run and what is safe to do next.",
      "For the person on call: no action that it proposes does anything twice."
    })
public final class ExplainVerb extends RunsVerb.OneRun {
  private static final int MOST_REVIEWS = 20;

  @Override
  protected VerbAnswer answer(VerbCall call, ServerClient server) {
    JsonNode found = server.ask(ServerRequest.get("/api/runs/{}", run)).json();
    var item = new Item(found);
    List<Item> history = RunWatch.history(server, run);
    List<WaitText> waits = RunWatch.waits(server, item);
    List<Item> duplicates = RunWatch.duplicates(server, item);
    var explanation = new Explanation(item, history, waits, reviews(server, waits), duplicates);
    var data = new LinkedHashMap<String, Object>();
    data.put("run", found);
    data.put("summary", explanation.summary());
    data.put("failureClass", orNull(explanation.failureClass()));
    WaitText again = explanation.nextAttempt();
    data.put("nextAttemptAt", again == null ? null : orNull(again.item().text("until")));
    data.put("docs", orNull(item.inner("error").text("docs")));
    data.put("effects", explanation.effects());
    data.put("waits", waits.stream().map(wait -> wait.item().json()).toList());
    data.put("duplicates", duplicates.stream().map(Item::json).toList());
    data.put("waitsForPerson", explanation.asksPerson());
    data.put("next", explanation.next().stream().map(Explanation.Next::json).toList());
    return VerbAnswer.of(data, text(item, explanation, call.paint()));
  }

  /** The effects in review that the run waits for; those that this token may see. */
  private static List<Item> reviews(ServerClient server, List<WaitText> waits) {
    var found = new ArrayList<Item>();
    for (WaitText wait : waits) {
      if (wait.cause().equals("review") && found.size() < MOST_REVIEWS) {
        ServerReply reply = server.send(ServerRequest.get("/api/reviews/{}", wait.effect()));
        if (reply.status() < 300) {
          found.add(new Item(reply.json()));
        }
      }
    }
    return found;
  }

  private static String text(Item run, Explanation explanation, Paint paint) {
    var text =
        new StringBuilder(
            "%s of flow '%s', key '%s': %s%n"
                .formatted(
                    run.text("id"),
                    Words.line(run.text("flow")),
                    Words.line(run.text("key")),
                    paint.status(RunText.status(run))));
    explanation.summary().forEach(line -> text.append("  ").append(Words.line(line)).append('\n'));
    if (!explanation.effects().isEmpty()) {
      text.append('\n').append(paint.strong("Effects of the run")).append('\n');
      var table = new Table("STEP", "EFFECT", "KEY", "STATE", "MEANING");
      for (Map<String, Object> effect : explanation.effects()) {
        table.row(
            place(effect),
            cell(effect, "name"),
            cell(effect, "key"),
            cell(effect, "state"),
            cell(effect, "meaning"));
      }
      table.text(paint, "").lines().forEach(line -> text.append("  ").append(line).append('\n'));
    }
    text.append('\n').append(paint.strong("Safe next steps")).append('\n');
    for (Explanation.Next next : explanation.next()) {
      text.append("  ").append(Words.line(next.why())).append('\n');
      if (!next.command().isEmpty()) {
        text.append("    ").append(Words.line(next.command())).append('\n');
      }
    }
    return text.toString();
  }

  private static @Nullable String orNull(String text) {
    return text.isEmpty() ? null : text;
  }

  private static String place(Map<String, Object> effect) {
    String item = cell(effect, "item");
    return cell(effect, "step") + (item.isEmpty() ? "" : "[" + item + "]");
  }

  private static String cell(Map<String, Object> effect, String name) {
    return String.valueOf(effect.getOrDefault(name, ""));
  }
}
