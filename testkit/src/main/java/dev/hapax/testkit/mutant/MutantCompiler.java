package dev.hapax.testkit.mutant;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.jspecify.annotations.Nullable;

/** Compiles the files of mutants, against the classes of this process, into memory. */
final class MutantCompiler {
  private final JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
  private final StandardJavaFileManager files =
      compiler.getStandardFileManager(null, null, StandardCharsets.UTF_8);

  /**
   * Reads the sources of these mutants; they are compiled when the first of them is requested.
   *
   * @param mutants all of different files: they are compiled together, since most of the time goes
   *     into reading what they use
   */
  Together together(List<Mutant> mutants) {
    return new Together(mutants);
  }

  private Map<String, byte[]> compile(List<Source> sources) {
    var classes = new Classes(files);
    var messages = new StringWriter();
    List<String> options =
        List.of("-proc:none", "-nowarn", "-implicit:none", "-g", "-cp", classPath());
    if (!compiler.getTask(messages, classes, null, options, null, sources).call()) {
      throw new IllegalArgumentException("the mutant does not compile: " + messages);
    }
    return classes.bytes();
  }

  /** Mutants that are compiled at once. */
  final class Together {
    private final List<Mutant> mutants;
    private @Nullable Map<String, byte[]> compiled;

    private Together(List<Mutant> mutants) {
      this.mutants = List.copyOf(mutants);
    }

    /**
     * Returns the classes of a mutant's file, by name. A mutant that cannot be compiled does not
     * affect the others.
     */
    synchronized Map<String, byte[]> classesOf(Mutant mutant) {
      String source = mutant.in(read(mutant.type()));
      if (compiled == null) {
        compiled = compileThoseThatApply();
      }
      Map<String, byte[]> own = new HashMap<>(compiled);
      own.keySet().removeIf(type -> !outermost(type).equals(mutant.type()));
      return own.isEmpty() ? compile(List.of(new Source(mutant.type(), source))) : own;
    }

    private Map<String, byte[]> compileThoseThatApply() {
      List<Source> sources = new ArrayList<>();
      for (Mutant mutant : mutants) {
        try {
          sources.add(new Source(mutant.type(), mutant.in(read(mutant.type()))));
        } catch (Mutant.NoLongerApplies ignored) {
          // The test that asks for this mutant reports it.
        }
      }
      try {
        return compile(sources);
      } catch (IllegalArgumentException e) {
        return Map.of(); // each by itself then
      }
    }

    private String outermost(String type) {
      int nested = type.indexOf('$');
      return nested < 0 ? type : type.substring(0, nested);
    }
  }

  private static String classPath() {
    return System.getProperty("java.class.path");
  }

  /**
   * Reads a source. Tests run in the directory of their module; its neighbours are the other
   * modules.
   */
  private static String read(String type) {
    Path file = Path.of("src", "main", "java").resolve(type.replace('.', '/') + ".java");
    try (Stream<Path> modules = Files.list(Path.of("").toAbsolutePath().getParent())) {
      List<Path> found = modules.map(module -> module.resolve(file)).filter(Files::exists).toList();
      if (found.size() != 1) {
        throw new Mutant.NoLongerApplies("%s is in these modules: %s".formatted(file, found));
      }
      return Files.readString(found.getFirst());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Text that is compiled as the file of a class. */
  private static final class Source extends SimpleJavaFileObject {
    private final String text;

    Source(String type, String text) {
      super(URI.create("mutant:///" + type.replace('.', '/') + ".java"), Kind.SOURCE);
      this.text = text;
    }

    @Override
    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
      return text;
    }
  }

  /** Keeps the output of the compiler. */
  private static final class Classes extends ForwardingJavaFileManager<JavaFileManager> {
    private final Map<String, ByteArrayOutputStream> written = new LinkedHashMap<>();

    Classes(JavaFileManager files) {
      super(files);
    }

    @Override
    public JavaFileObject getJavaFileForOutput(
        Location location, String type, JavaFileObject.Kind kind, FileObject sibling) {
      return new SimpleJavaFileObject(URI.create("mutant:///" + type + ".class"), kind) {
        @Override
        public OutputStream openOutputStream() {
          var out = new ByteArrayOutputStream();
          written.put(type, out);
          return out;
        }
      };
    }

    Map<String, byte[]> bytes() {
      return written.entrySet().stream()
          .collect(Collectors.toMap(Map.Entry::getKey, it -> it.getValue().toByteArray()));
    }
  }
}
