package dev.hapax.app;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Which top-level class uses which; a nested class counts as a part of the one around it. */
final class ClassGraph {
  private final Map<String, Set<String>> uses = new TreeMap<>();

  static ClassGraph of(JavaClasses classes) {
    var graph = new ClassGraph();
    for (JavaClass from : classes) {
      Set<String> used = graph.uses.computeIfAbsent(topLevel(from), _ -> new TreeSet<>());
      for (Dependency dependency : from.getDirectDependenciesFromSelf()) {
        JavaClass to = dependency.getTargetClass().getBaseComponentType();
        if (to.getPackageName().startsWith("dev.hapax")) {
          used.add(topLevel(to));
        }
      }
    }
    graph.uses.forEach((name, used) -> used.remove(name));
    return graph;
  }

  private static String topLevel(JavaClass of) {
    String name = of.getName();
    int nested = name.indexOf('$');
    return nested < 0 ? name : name.substring(0, nested);
  }

  /** Returns the edges between packages, as "from -> to". */
  Set<String> packageEdges() {
    Set<String> edges = new TreeSet<>();
    uses.forEach(
        (from, used) ->
            used.forEach(
                to -> {
                  if (!packageOf(from).equals(packageOf(to))) {
                    edges.add(packageOf(from) + " -> " + packageOf(to));
                  }
                }));
    return edges;
  }

  private static String packageOf(String name) {
    return name.substring(0, name.lastIndexOf('.'));
  }

  /** Returns the groups of classes that all use one another, directly or not, the largest first. */
  List<Set<String>> cycles() {
    var search = new Search();
    uses.keySet().forEach(search::visit);
    return search.found.stream()
        .filter(group -> group.size() > 1)
        .sorted(Comparator.comparingInt((Set<String> group) -> group.size()).reversed())
        .toList();
  }

  /** Tarjan's search for strongly connected components. */
  private final class Search {
    private final List<Set<String>> found = new ArrayList<>();
    private final Map<String, Integer> index = new HashMap<>();
    private final Map<String, Integer> lowest = new HashMap<>();
    private final Deque<String> path = new ArrayDeque<>();
    private final Set<String> onPath = new TreeSet<>();

    void visit(String name) {
      if (index.containsKey(name)) {
        return;
      }
      index.put(name, index.size());
      lowest.put(name, index.get(name));
      path.push(name);
      onPath.add(name);
      for (String next : uses.getOrDefault(name, Set.of())) {
        if (!index.containsKey(next)) {
          visit(next);
          lowest.merge(name, lowest.get(next), Math::min);
        } else if (onPath.contains(next)) {
          lowest.merge(name, index.get(next), Math::min);
        }
      }
      if (lowest.get(name).equals(index.get(name))) {
        takeGroup(name);
      }
    }

    private void takeGroup(String root) {
      Set<String> group = new TreeSet<>();
      String member;
      do {
        member = path.pop();
        onPath.remove(member);
        group.add(member);
      } while (!member.equals(root));
      found.add(group);
    }
  }
}
