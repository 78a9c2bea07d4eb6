package dev.hapax.app.cli;

import java.util.LinkedHashMap;
import picocli.CommandLine.Command;

@Command(name = "version", description = "Tells the version of this program.")
final class Version extends Verb {
  @Override
  protected Answer answer(Call call) {
    var data = new LinkedHashMap<String, Object>();
    data.put("version", version());
    data.put("java", Runtime.version().toString());
    return Answer.of(data, "hapax " + version());
  }

  static String version() {
    String version = Version.class.getPackage().getImplementationVersion();
    return version == null ? "(not packaged)" : version;
  }
}
