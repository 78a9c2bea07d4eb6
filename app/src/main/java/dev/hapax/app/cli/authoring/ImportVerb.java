package dev.hapax.app.cli.authoring;

import dev.hapax.app.cli.output.Exit;
import dev.hapax.app.cli.output.Refusal;
import dev.hapax.app.cli.output.VerbAnswer;
import dev.hapax.app.cli.verb.Verb;
import dev.hapax.app.cli.verb.VerbCall;
import dev.hapax.app.cli.verb.VerbEntry;
import dev.hapax.app.cli.verb.VerbGroup;
import dev.hapax.flows.skeleton.CrontabImport;
import dev.hapax.flows.skeleton.ImportedFlows;
import dev.hapax.flows.skeleton.N8nImport;
import dev.hapax.flows.skeleton.NotImportable;
import java.io.IOException;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "import",
    description = {
      "Writes skeleton flows from files of other systems, and lists what a person must decide.",
      "No credential is copied. Needs no server."
    })
public final class ImportVerb extends VerbGroup {
  @Override
  public Stream<VerbEntry> inner() {
    return Stream.of(new VerbEntry("n8n", N8n::new), new VerbEntry("crontab", Crontab::new));
  }

  /** What both imports have in common. */
  abstract static class From extends Verb {
    abstract String file();

    abstract ImportedFlows read(String text);

    VerbAnswer answer(VerbCall call, String folder, boolean force) throws IOException {
      String text = SkeletonFiles.read(file(), call.surroundings());
      try {
        return new SkeletonFiles(call, folder, force).write(read(text));
      } catch (NotImportable e) {
        throw Refusal.of(Exit.REFUSED, "not-importable", "'%s': %s".formatted(file(), e.message()))
            .hint("nothing was written");
      }
    }
  }

  @Command(
      name = "n8n",
      description = {
        "Writes a skeleton flow for each workflow in a JSON file that n8n exported.",
        "A node without a counterpart becomes a step that fails, with the node in a comment."
      },
      footer = {
        "",
        "Exit code 0: written, with decisions in the answer; 3: the file is no workflow, or a flow"
            + " file exists already; 4: there is no such file."
      })
  static final class N8n extends From {
    @Parameters(paramLabel = "FILE", description = "Workflows as JSON; - is standard input.")
    String file = "";

    @Option(
        names = "--out",
        paramLabel = "DIR",
        defaultValue = "flows",
        description = "Folder to write to (${DEFAULT-VALUE}).")
    String out = "";

    @Option(names = "--force", description = "Replace flow files that exist.")
    boolean force;

    @Override
    String file() {
      return file;
    }

    @Override
    ImportedFlows read(String text) {
      return N8nImport.of(file, text);
    }

    @Override
    public VerbAnswer answer(VerbCall call) throws IOException {
      return answer(call, out, force);
    }
  }

  @Command(
      name = "crontab",
      description = {
        "Writes a skeleton flow for each line of a crontab, with its schedule.",
        "A command becomes a step that fails until you decide how it runs."
      },
      footer = {
        "",
        "Exit code 0: written, with decisions in the answer; 3: the file is no crontab, or a flow"
            + " file exists already; 4: there is no such file."
      })
  static final class Crontab extends From {
    @Parameters(
        paramLabel = "FILE",
        description = "A crontab, for example of 'crontab -l'; - is standard input.")
    String file = "";

    @Option(
        names = "--out",
        paramLabel = "DIR",
        defaultValue = "flows",
        description = "Folder to write to (${DEFAULT-VALUE}).")
    String out = "";

    @Option(names = "--force", description = "Replace flow files that exist.")
    boolean force;

    @Option(
        names = "--system",
        description = "Each line names a user before the command, as in /etc/crontab.")
    boolean system;

    @Override
    String file() {
      return file;
    }

    @Override
    ImportedFlows read(String text) {
      return CrontabImport.of(file, text, system);
    }

    @Override
    public VerbAnswer answer(VerbCall call) throws IOException {
      return answer(call, out, force);
    }
  }
}
