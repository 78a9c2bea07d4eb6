package dev.hapax.app.config;

import dev.hapax.flows.expression.Suggestion;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Gathers settings from a file, the environment and the command line. Precedence: flag, {@code
 * --set}, environment, file. Unknown and wrong settings are problems, never ignored.
 */
public final class SettingsReader {
  private static final String PREFIX = "HAPAX_";
  private static final String FROM_FILE = "_FILE";

  /**
   * Variables of the command line, secrets, or of the cluster in which a service named hapax runs.
   */
  private static final Pattern OF_OTHERS =
      Pattern.compile(
          "HAPAX_(URL|TOKEN(_FILE)?|PROFILE|CA|CERTIFICATE|JAVA_HOME|JAVA_OPTIONS|SECRET_.*|SERVICE(_.*)?|PORT(_.*)?)");

  private final List<String> problems = new ArrayList<>();
  private final Map<String, Given> given = new HashMap<>();

  /** A setting as it was given, and where. */
  record Given(String value, String where) {}

  /** Reads the file; it must exist if it is named. */
  public SettingsReader file(Path file) {
    try {
      new SettingsFile(file.toString(), problems, given).read(Files.readString(file));
    } catch (IOException e) {
      problems.add("%s cannot be read: %s".formatted(file, e.getMessage()));
    }
    return this;
  }

  /** Reads the environment; {@code HAPAX_…_FILE} names a file that holds the value. */
  public SettingsReader environment(Map<String, String> variables) {
    Map<String, String> names = new HashMap<>();
    SettingNames.ALL.forEach(name -> names.put(variable(name), name));
    new TreeMap<>(variables)
        .forEach(
            (variable, value) -> {
              if (variable.startsWith(PREFIX)
                  && !OF_OTHERS.matcher(variable).matches()
                  && !value.isEmpty()) {
                variable(names, variable, value);
              }
            });
    return this;
  }

  private static String variable(String name) {
    return PREFIX
        + name.replaceAll("([a-z])([A-Z])", "$1_$2").replace('.', '_').toUpperCase(Locale.ROOT);
  }

  private void variable(Map<String, String> names, String variable, String value) {
    String name = names.get(variable);
    if (name != null) {
      put(name, value, variable);
      return;
    }
    String setting =
        variable.endsWith(FROM_FILE)
            ? names.get(variable.substring(0, variable.length() - FROM_FILE.length()))
            : null;
    if (setting != null) {
      readValue(setting, variable, Path.of(value));
    } else {
      problems.add(
          "'%s' is unknown%s".formatted(variable, Suggestion.among(variable, names.keySet())));
    }
  }

  private void readValue(String setting, String variable, Path file) {
    try {
      put(setting, Files.readString(file).strip(), variable);
    } catch (IOException e) {
      problems.add("%s: %s cannot be read".formatted(variable, file));
    }
  }

  /** Reads the assignments of {@code --set section.key=value}. */
  public SettingsReader set(List<String> assignments) {
    for (String assignment : assignments) {
      int end = assignment.indexOf('=');
      if (end < 1) {
        problems.add("--set: expected section.key=value, got '%s'".formatted(assignment));
      } else if (SettingNames.ALL.contains(assignment.substring(0, end))) {
        put(assignment.substring(0, end), assignment.substring(end + 1), "--set");
      } else {
        problems.add("--set: " + SettingNames.unknown(assignment.substring(0, end)));
      }
    }
    return this;
  }

  /** Reads a dedicated flag; null if it was not given. */
  public SettingsReader flag(String flag, String name, @Nullable String value) {
    if (value != null) {
      put(name, value, flag);
    }
    return this;
  }

  private void put(String name, String value, String where) {
    given.put(name, new Given(value, where));
  }

  /**
   * Returns the settings.
   *
   * @throws BadSettings with all that is wrong
   */
  public Settings read() {
    var values = new SettingValues(given, problems);
    Settings settings = values.settings();
    if (!problems.isEmpty()) {
      throw new BadSettings(problems);
    }
    return settings;
  }

  /** The known names. */
  static final class SettingNames {
    static final Set<String> ALL =
        Set.of(
            "data",
            "http.host",
            "http.port",
            "http.url",
            "http.hosts",
            "http.withoutTls",
            "http.requestsPerToken",
            "http.requestsPerAddress",
            "http.wrongTokensPerAddress",
            "http.connections",
            "http.connectionsPerAddress",
            "http.silence",
            "http.streams",
            "http.streamsPerToken",
            "http.tls.certificate",
            "http.tls.key",
            "http.tls.clientCa",
            "http.tls.clients",
            "oidc.issuer",
            "oidc.audience",
            "oidc.skew",
            "oidc.algorithms",
            "oidc.tenant",
            "oidc.tenantClaim",
            "oidc.nameClaim",
            "oidc.rolesClaim",
            "oidc.scopesClaim",
            "oidc.grants",
            "oidc.ca",
            "oidc.clientId",
            "oidc.clientSecret",
            "oidc.loginScopes",
            "oidc.loginParameters",
            "metrics.public",
            "store.url",
            "store.user",
            "store.password",
            "store.failoversLoseNothing",
            "store.copySends",
            "engine.runsInMemory",
            "engine.tombstones",
            "engine.events",
            "engine.exportDeleted",
            "limits.valueBytes",
            "limits.runBytes",
            "limits.nodeBytes",
            "limits.freeBytes",
            "alerts",
            "log.format",
            "log.level",
            "traces.url",
            "traces.headers",
            "traces.share",
            "traces.every",
            "shutdown.within",
            "deploy.approval",
            "mcp.tools",
            "secrets.sources");

    private SettingNames() {}

    static String unknown(String name) {
      return "'%s' is unknown%s".formatted(name, Suggestion.among(name, ALL));
    }
  }
}
