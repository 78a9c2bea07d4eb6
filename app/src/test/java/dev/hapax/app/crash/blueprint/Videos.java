package dev.hapax.app.crash.blueprint;

import dev.hapax.app.ServerCalls.Reply;
import dev.hapax.app.crash.blueprint.Visit.Answer;
import java.net.URI;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The long job: a studio that calls back, often before its own answer is there, and calls again
 * with something else; and a site that shows the newest file.
 */
final class Videos implements Blueprint {
  /** What the editor asks for in the first round. */
  static final String BETTER = "with more light";

  private record Job(String id, String video, int round, String script) {
    String file() {
      return "%s-r%d.mp4".formatted(video, round);
    }
  }

  private final Door door;
  private final Executor studio;
  // All by this.
  private final List<String> ordered = new ArrayList<>();
  private final Map<String, Job> jobs = new HashMap<>();
  private final Map<String, String> site = new TreeMap<>();
  private final Map<String, String> told = new HashMap<>();
  private final List<String> strange = new ArrayList<>();

  Videos(Door door, Executor studio) {
    this.door = door;
    this.studio = studio;
  }

  static boolean isFirst(String question) {
    return question.contains("-r1.mp4");
  }

  @Override
  public String flow() {
    return "make-video";
  }

  @Override
  public List<String> connections() {
    return List.of("studio", "site");
  }

  @Override
  public synchronized List<Callable<?>> work(int life) {
    String video = "V-" + life;
    ordered.add(video);
    return List.of(() -> door.startTwice(flow(), Map.of("video", video, "script", "in the dark")));
  }

  @Override
  public synchronized @Nullable Answer visit(Visit visit) {
    if (visit.is("studio", "POST", "/jobs")) {
      Job known = jobs.get(visit.key());
      if (known == null) {
        known = begin(visit);
      }
      return Answer.of(201, Map.of("id", known.id()));
    }
    if (visit.is("site", "POST", "/drafts")) {
      told.put(visit.key(), visit.field("decide"));
      return Visit.ok();
    }
    if (visit.is("site", "PUT", "/videos/")) {
      site.put(visit.last(), visit.field("file"));
      return Visit.ok();
    }
    return null;
  }

  private Job begin(Visit visit) {
    var job =
        new Job(
            "job-" + jobs.size(),
            visit.field("video"),
            visit.json().path("round").asInt(),
            visit.field("script"));
    jobs.put(visit.key(), job);
    String path = URI.create(visit.field("notify")).getPath();
    studio.execute(() -> callBack(job, path));
    return job;
  }

  private void callBack(Job job, String path) {
    try {
      note(job, 400, door.post(path, Map.of("nothing", "yet")));
      note(job, 200, door.post(path, Map.of("file", job.file())));
      note(job, 200, door.post(path, Map.of("file", job.file())));
      note(job, 200, door.post(path, Map.of("file", "too-late.mp4")));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private synchronized void note(Job job, int expected, Reply reply) {
    if (reply.status() != expected) {
      strange.add("%s: a callback got %s".formatted(job, reply));
    }
  }

  @Override
  public @Nullable String look(String effect, String key) {
    return null; // both guards settle by themselves
  }

  @Override
  public synchronized List<String> problems(List<JsonNode> runs) {
    var problems = new ArrayList<>(strange);
    Blueprint.expect(problems, runs, run -> Blueprint.hasEnded(run, "succeeded"));
    if (told.size() != jobs.size()) {
      problems.add("%d drafts of %d jobs were told".formatted(told.size(), jobs.size()));
    }
    if (runs.size() != ordered.size()) {
      problems.add("%d runs of %d videos".formatted(runs.size(), ordered.size()));
    }
    for (String video : ordered) {
      List<String> made =
          jobs.values().stream()
              .filter(job -> job.video().equals(video))
              .map(job -> job.round() + " " + job.script())
              .sorted()
              .toList();
      if (!made.equals(List.of("1 in the dark", "2 " + BETTER))) {
        problems.add("%s: jobs %s".formatted(video, made));
      }
      if (!(video + "-r2.mp4").equals(site.get(video))) {
        problems.add("%s: the site shows %s".formatted(video, site.get(video)));
      }
    }
    return problems;
  }
}
