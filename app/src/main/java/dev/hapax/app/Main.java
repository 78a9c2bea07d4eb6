package dev.hapax.app;

import dev.hapax.app.demo.Demo;
import dev.hapax.app.demo.DemoOptions;
import java.util.List;

/** The program's verbs. */
public final class Main {
  private static final int DONE = 0;
  private static final int USAGE = 2;

  private static final String HELP =
      """
      Hapax: durable workflows whose effects happen once.

      usage: hapax VERB [OPTION...]

        demo      orders are charged, invoiced and mailed while everything goes wrong; then the books are compared
        version   the version of this program
        help      this page

      """
          + DemoOptions.HELP;

  private Main() {}

  public static void main(String[] args) {
    System.exit(run(List.of(args)));
  }

  private static int run(List<String> args) {
    if (args.isEmpty()) {
      System.err.print(HELP);
      return USAGE;
    }
    return switch (args.getFirst()) {
      case "demo" -> demo(args.subList(1, args.size()));
      case "help", "--help", "-h" -> say(HELP);
      case "version", "--version" -> say("hapax " + version() + "\n");
      default -> refuse("'" + args.getFirst() + "' is no verb of hapax");
    };
  }

  private static int demo(List<String> args) {
    if (args.contains("--help") || args.contains("-h")) {
      return say(DemoOptions.HELP);
    }
    DemoOptions options;
    try {
      options = DemoOptions.parse(args);
    } catch (IllegalArgumentException e) {
      return refuse("demo: " + e.getMessage());
    }
    return Demo.run(options);
  }

  private static int say(String text) {
    System.out.print(text);
    return DONE;
  }

  private static int refuse(String problem) {
    System.err.println("hapax: " + problem + ". 'hapax help' shows what there is.");
    return USAGE;
  }

  private static String version() {
    String version = Main.class.getPackage().getImplementationVersion();
    return version == null ? "(not packaged)" : version;
  }
}
