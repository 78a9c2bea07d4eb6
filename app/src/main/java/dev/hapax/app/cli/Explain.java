package dev.hapax.app.cli;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import tools.jackson.databind.JsonNode;

@Command(
    name = "explain",
    description = {
      "Tells what happened in a run and what is safe to do next, in plain words.",
      "For the person on call: every step that it proposes can be taken without doing anything"
          + " twice."
    })
final class Explain extends Runs.OneRun {
  @Override
  Answer answer(Call call, Server server) {
    JsonNode found = server.ask(Request.get("/api/runs/{}", run)).json();
    var item = new Item(found);
    List<Item> history = history(server);
    List<Item> reviews = item.text("status").equals("review") ? reviews(server) : List.of();
    var explanation = new Explanation(item, history, reviews);
    var data = new LinkedHashMap<String, Object>();
    data.put("run", found);
    data.put("summary", explanation.summary());
    data.put("effects", explanation.effects());
    data.put("waitsForPerson", RunWatch.asksPerson(item, history));
    data.put("next", explanation.next().stream().map(Explanation.Next::json).toList());
    return Answer.of(data, text(item, explanation, call.paint()));
  }

  /** Reads the whole history, page by page. */
  private List<Item> history(Server server) {
    var all = new ArrayList<Item>();
    String after = null;
    do {
      var page =
          new Item(
              server.ask(Request.get("/api/runs/{}/history", run).query("after", after)).json());
      all.addAll(page.items("items"));
      after = page.text("next").isEmpty() ? null : page.text("next");
    } while (after != null);
    return all;
  }

  private List<Item> reviews(Server server) {
    var page =
        new Item(
            server
                .ask(Request.get("/api/effects").query("state", "review").query("limit", 200))
                .json());
    return page.items("items").stream().filter(effect -> effect.text("run").equals(run)).toList();
  }

  private static String text(Item run, Explanation explanation, Paint paint) {
    var text =
        new StringBuilder(
            "%s of flow '%s', key '%s': %s%n"
                .formatted(
                    run.text("id"),
                    run.text("flow"),
                    run.text("key"),
                    paint.status(run.text("status"))));
    explanation.summary().forEach(line -> text.append("  ").append(line).append('\n'));
    if (!explanation.effects().isEmpty()) {
      text.append('\n').append(paint.strong("What it did to the world")).append('\n');
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
    text.append('\n').append(paint.strong("What is safe to do next")).append('\n');
    for (Explanation.Next next : explanation.next()) {
      text.append("  ").append(next.why()).append('\n');
      if (!next.command().isEmpty()) {
        text.append("    ").append(next.command()).append('\n');
      }
    }
    return Words.plain(text.toString());
  }

  private static String place(Map<String, Object> effect) {
    String item = cell(effect, "item");
    return cell(effect, "step") + (item.isEmpty() ? "" : "[" + item + "]");
  }

  private static String cell(Map<String, Object> effect, String name) {
    return String.valueOf(effect.getOrDefault(name, ""));
  }
}
