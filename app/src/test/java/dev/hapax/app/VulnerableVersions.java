package dev.hapax.app;

import java.math.BigInteger;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A pinned list of versions with known vulnerabilities. */
record VulnerableVersions(LocalDate asOf, List<Entry> entries) {
  private static final String DATE = "as of ";

  /** Versions of an artifact, for example {@code >=12.0.0 <12.0.9}, and why they are bad. */
  record Entry(String artifact, String range, String advisory) {
    boolean matches(String name, String version) {
      if (!artifact.equals(name)) {
        return false;
      }
      for (String bound : range.split(" ", -1)) {
        boolean isLower = bound.startsWith(">=");
        int order = compare(version, bound.substring(isLower ? 2 : 1));
        if (isLower ? order < 0 : order >= 0) {
          return false;
        }
      }
      return true;
    }
  }

  static VulnerableVersions read(String text) {
    LocalDate asOf = null;
    var entries = new ArrayList<Entry>();
    for (String line : text.lines().map(String::strip).toList()) {
      if (line.startsWith(DATE)) {
        asOf = LocalDate.parse(line.substring(DATE.length()));
      } else if (!line.isEmpty() && !line.startsWith("#")) {
        entries.add(entry(line));
      }
    }
    return new VulnerableVersions(Objects.requireNonNull(asOf, "a line 'as of DATE'"), entries);
  }

  private static Entry entry(String line) {
    String[] parts = line.split(" \\| ", -1);
    boolean isRange =
        parts.length == 3
            && parts[1].matches("(>=[0-9][0-9.]*)?( ?<[0-9][0-9.]*)?")
            && !parts[1].isEmpty();
    if (!isRange) {
      throw new IllegalArgumentException(
          "expected 'group:artifact | >=1.0 <2.0 | advisory', got '%s'".formatted(line));
    }
    return new Entry(parts[0], parts[1], parts[2]);
  }

  /** Returns the entries about this version. */
  List<Entry> about(String artifact, String version) {
    return entries.stream().filter(entry -> entry.matches(artifact, version)).toList();
  }

  /** Compares the numbers of two versions; the first part that is no number ends a version. */
  static int compare(String one, String other) {
    List<BigInteger> left = numbers(one);
    List<BigInteger> right = numbers(other);
    for (int i = 0; i < Math.max(left.size(), right.size()); i++) {
      int order = at(left, i).compareTo(at(right, i));
      if (order != 0) {
        return order;
      }
    }
    return 0;
  }

  private static BigInteger at(List<BigInteger> numbers, int index) {
    return index < numbers.size() ? numbers.get(index) : BigInteger.ZERO;
  }

  private static List<BigInteger> numbers(String version) {
    var numbers = new ArrayList<BigInteger>();
    for (String part : version.split("[.-]", -1)) {
      BigInteger number = number(part);
      if (number == null) {
        break;
      }
      numbers.add(number);
    }
    return numbers;
  }

  private static @Nullable BigInteger number(String part) {
    return part.matches("[0-9]+") ? new BigInteger(part) : null;
  }
}
