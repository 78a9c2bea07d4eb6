package dev.hapax.flows.skeleton;

import static dev.hapax.flows.skeleton.SkeletonStep.ordered;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The command of a line of a crontab, as the step of a flow. */
final class CrontabCommand {
  private static final Pattern NO_OUTPUT = Pattern.compile("\\s*(&|[12])?>+\\s*(/dev/null|&1)");
  private static final Pattern WORD = Pattern.compile("\"[^\"]*\"|'[^']*'|\\S+");
  private static final Pattern ADDRESS = Pattern.compile("https?://[!-~&&[^\"'`$|;<>\\\\]]+");

  /** Options of curl and wget that do not change what is asked. */
  private static final Pattern HARMLESS =
      Pattern.compile("-[sSfLqk]+|--(silent|fail|show-error|location|quiet)|-O-|-O/dev/null");

  private static final Set<String> WRAPPERS =
      Set.of(
          "cd", "sudo", "nice", "ionice", "flock", "timeout", "env", "bash", "sh", "exec", "nohup",
          "chronic", "test", "php", "python", "python3", "node", "perl", "ruby", "java", "docker",
          "run", "true", "root");

  private final String command;

  CrontabCommand(String command) {
    this.command = command;
  }

  /** Returns a name for people: that of the program, without folders and endings. */
  String name() {
    String address = address();
    if (address != null) {
      return URI.create(address).getHost();
    }
    Matcher words = WORD.matcher(command);
    while (words.find()) {
      String word = words.group().replaceAll("[\"']", "");
      String base = word.substring(word.lastIndexOf('/') + 1).replaceFirst("\\.[A-Za-z0-9]+$", "");
      boolean isName =
          base.matches("[A-Za-z][A-Za-z0-9._-]*") && !word.contains("=") && !word.startsWith("-");
      if (isName && !WRAPPERS.contains(base.toLowerCase(Locale.ROOT))) {
        return base;
      }
    }
    return "";
  }

  /** Whether flock keeps a second command away while the first works. */
  boolean isLocked() {
    return Pattern.compile("(^|/|\\s)flock\\s").matcher(command).find();
  }

  SkeletonStep step(CrontabImport.Notes notes) {
    String address = address();
    return address == null ? todo(notes) : request(address, notes);
  }

  private SkeletonStep request(String address, CrontabImport.Notes notes) {
    notes.add(
        "request",
        "the command reads an address with GET; a crontab often does that to start work there",
        "If it changes something, use POST with an effect and its guard; put the address and its"
            + " credential into a connection.");
    return new SkeletonStep("request").with("http", ordered("url", SkeletonYaml.literal(address)));
  }

  /** Returns the address that curl or wget reads and nothing else; null for any other command. */
  private @Nullable String address() {
    String plain = NO_OUTPUT.matcher(command).replaceAll("");
    List<String> words = new ArrayList<>();
    WORD.matcher(plain).results().forEach(word -> words.add(word.group().replaceAll("[\"']", "")));
    if (words.size() < 2 || !words.getFirst().matches("(.*/)?(curl|wget)")) {
      return null;
    }
    String address = null;
    for (String word : words.subList(1, words.size())) {
      if (ADDRESS.matcher(word).matches() && address == null) {
        address = word;
      } else if (!HARMLESS.matcher(word).matches()) {
        return null;
      }
    }
    return address != null && isSafe(address) ? address : null;
  }

  /** An address with a user, a password or a token is not copied. */
  private static boolean isSafe(String address) {
    try {
      URI uri = new URI(address);
      String query = uri.getQuery();
      return uri.getHost() != null
          && uri.getUserInfo() == null
          && (query == null
              || List.of(query.split("&", -1)).stream()
                  .noneMatch(pair -> Sensitive.isName(pair.split("=", 2)[0])));
    } catch (URISyntaxException e) {
      return false;
    }
  }

  private SkeletonStep todo(CrontabImport.Notes notes) {
    String shown = Sensitive.command(command);
    notes.add(
        "command",
        "a flow runs no shell command on the server",
        "Replace step 'command': call a handler in Java, call a service with http, or run it on a"
            + " host with ssh. Then give it an effect with a key and a guard.");
    if (!shown.equals(command)) {
      notes.add(
          "credential",
          "the command seems to contain a credential; it was not copied",
          "Store it with 'hapax secrets put', and name it in a connection.");
    }
    Map<String, Object> fail =
        ordered("code", "todo", "message", "TODO decide how this command runs");
    return new SkeletonStep("command")
        .comment("TODO decide how this command runs; until then the run fails here:")
        .comment("  " + shown)
        .comment("In Java:      call: {handler: NAME, input: {time: \"${input.time}\"}}")
        .comment("As a service: http: {connection: NAME, method: POST, path: /PATH}")
        .comment("On a host:    ssh: {connection: NAME, run: COMMAND}")
        .comment("Each needs:   effect: {kind: create, key: \"${input.time}\", guard: …}")
        .with("fail", fail);
  }
}
