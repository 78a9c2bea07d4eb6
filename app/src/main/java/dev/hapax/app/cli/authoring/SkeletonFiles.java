package dev.hapax.app.cli.authoring;

import dev.hapax.app.cli.output.Exit;
import dev.hapax.app.cli.output.Refusal;
import dev.hapax.app.cli.output.Surroundings;
import dev.hapax.app.cli.output.VerbAnswer;
import dev.hapax.app.cli.output.Words;
import dev.hapax.app.cli.verb.FileReplacement;
import dev.hapax.app.cli.verb.Inputs;
import dev.hapax.app.cli.verb.VerbCall;
import dev.hapax.flows.check.Check;
import dev.hapax.flows.check.Finding;
import dev.hapax.flows.skeleton.ImportDecision;
import dev.hapax.flows.skeleton.ImportedFlows;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Writes imported flows: all of them, or none if one is there already. */
final class SkeletonFiles {
  /** No workflow that people keep is near to it; more would fill the memory. */
  private static final long LARGEST = 16 << 20;

  private final VerbCall call;
  private final Path folder;
  private final boolean force;

  SkeletonFiles(VerbCall call, String folder, boolean force) {
    this.call = call;
    this.folder = Path.of(folder);
    this.force = force;
  }

  static String read(String file, Surroundings surroundings) throws IOException {
    Path path = surroundings.path(file);
    if (!file.equals("-") && Files.isRegularFile(path) && Files.size(path) > LARGEST) {
      throw Refusal.of(Exit.REFUSED, "too-large", "'%s' is larger than 16 MB".formatted(file))
          .hint("export fewer workflows at once");
    }
    return Inputs.text(file, surroundings);
  }

  VerbAnswer write(ImportedFlows imported) throws IOException {
    refuseExisting(imported);
    Files.createDirectories(call.surroundings().path(folder.toString()));
    var files = new ArrayList<Map<String, Object>>();
    var findings = new ArrayList<Finding>();
    var text = new StringBuilder();
    for (ImportedFlows.Skeleton flow : imported.flows()) {
      String name = nameOf(flow);
      FileReplacement.write(call.surroundings().path(name), flow.text());
      var item = new LinkedHashMap<String, Object>();
      item.put("file", name);
      item.put("flow", flow.name());
      files.add(item);
      findings.addAll(Check.check(name, flow.text()).findings());
      text.append("wrote %s%n".formatted(name));
    }
    for (ImportDecision decision : imported.decisions()) {
      text.append("%n%s%n".formatted(Words.plain(decision.toString())));
    }
    var data = new LinkedHashMap<String, Object>();
    data.put("files", files);
    data.put("decisions", imported.decisions().stream().map(ImportDecision::json).toList());
    data.put("findings", findings.stream().map(Finding::json).toList());
    List<String> names = imported.flows().stream().map(this::nameOf).toList();
    return VerbAnswer.of(
        data,
        text
            + "%n%s to make. Then: hapax check %s%n"
                .formatted(
                    Words.count(imported.decisions().size(), "decision"),
                    String.join(" ", names.subList(0, Math.min(3, names.size())))));
  }

  private String nameOf(ImportedFlows.Skeleton flow) {
    return folder.resolve(flow.name() + ".yaml").toString();
  }

  private void refuseExisting(ImportedFlows imported) {
    List<String> existing =
        imported.flows().stream()
            .map(this::nameOf)
            .filter(name -> Files.exists(call.surroundings().path(name), LinkOption.NOFOLLOW_LINKS))
            .toList();
    if (!force && !existing.isEmpty()) {
      throw Refusal.of(Exit.REFUSED, "exists", "'%s' already exists".formatted(existing.getFirst()))
          .details(Map.of("files", existing))
          .hint("nothing was written; name another folder with --out, or use --force");
    }
  }
}
