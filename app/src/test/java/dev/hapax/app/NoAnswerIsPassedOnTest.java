package dev.hapax.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * A store that did not answer is no decision. Code that other code calls may have wrapped it, so a
 * {@code try} that decides by other exceptions asks {@code NoAnswer.behind} or calls {@code
 * NoAnswer.passOn}; it does not catch the type itself beside them.
 */
class NoAnswerIsPassedOnTest {
  private static final Pattern CATCH =
      Pattern.compile("\\s*catch \\((?:final )?([\\w.| ]+?) \\w+\\) \\{");
  private static final Pattern MISSING = Pattern.compile("\\b(NoAnswer|StoreUnavailable)\\b");
  private static final Pattern ANY =
      Pattern.compile("\\b(RuntimeException|Exception|Throwable)\\b");

  /** Closes the engine for what it does not know, and nobody's code wraps its exceptions. */
  private static final Set<String> ALLOWED = Set.of("ThreadGuard.java");

  @Test
  void no_code_catches_a_missing_answer_beside_other_failures() throws IOException {
    List<String> found = new ArrayList<>();
    for (Path file : sources()) {
      String name = file.getFileName().toString();
      if (!ALLOWED.contains(name) && catchesBoth(Files.readString(file))) {
        found.add(name);
      }
    }

    assertThat(found).as("call NoAnswer.passOn in the general catch instead").isEmpty();
  }

  @Test
  void the_shallow_form_is_found_and_the_deep_one_is_not() {
    assertThat(
            catchesBoth(
                "try { a(); } catch (NoAnswer e) { throw e; } catch (Exception e) { b(); }"))
        .isTrue();
    assertThat(
            catchesBoth(
                "try { a(); } catch (Bad | StoreUnavailable e) { if (x) { c(); } } catch (Other e) {"
                    + " d(); } catch (RuntimeException | Error e) { b(); }"))
        .isTrue();
    assertThat(catchesBoth("try { a(); } catch (Exception e) { NoAnswer.passOn(e); b(); }"))
        .isFalse();
    assertThat(
            catchesBoth("try { a(); } catch (NoAnswer e) { b(); } finally { c(); } catch (X e) {}"))
        .isFalse();
  }

  private static boolean catchesBoth(String source) {
    Matcher first = CATCH.matcher(source);
    while (first.find()) {
      if (MISSING.matcher(first.group(1)).find() && isFollowed(source, endOf(source, first))) {
        return true;
      }
    }
    return false;
  }

  /** Whether a later {@code catch} of the same {@code try} takes every exception. */
  private static boolean isFollowed(String source, int end) {
    Matcher next = CATCH.matcher(source).region(end, source.length());
    while (next.lookingAt()) {
      if (ANY.matcher(next.group(1)).find()) {
        return true;
      }
      next.region(endOf(source, next), source.length());
    }
    return false;
  }

  private static int endOf(String source, Matcher begin) {
    int depth = 1;
    int at = begin.end();
    for (; depth > 0 && at < source.length(); at++) {
      char c = source.charAt(at);
      depth += c == '{' ? 1 : c == '}' ? -1 : 0;
    }
    return at;
  }

  private static List<Path> sources() throws IOException {
    Path repository = Path.of(System.getProperty("basedir", "app")).toAbsolutePath().getParent();
    try (Stream<Path> files = Files.walk(repository)) {
      return files
          .filter(file -> file.toString().endsWith(".java"))
          .filter(file -> file.toString().contains("/src/main/java/"))
          .toList();
    }
  }
}
