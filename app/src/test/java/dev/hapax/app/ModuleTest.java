package dev.hapax.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.hapax.Hapax;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringWriter;
import java.lang.module.ModuleDescriptor;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.ObjectMapper;

/** On the module path, users of core see its two packages and nothing else. */
class ModuleTest {
  @TempDir Path temp;

  private Path described;

  @BeforeEach
  void core_is_described() {
    described = temp.resolve("core");
    Path source = coreFolder().resolve("src/main/module/module-info.java");

    assertThat(compile(described, libraries(), source)).isEmpty();
  }

  @Test
  void two_packages_are_exported_to_everybody() throws IOException {
    ModuleDescriptor core;
    try (InputStream in = Files.newInputStream(described.resolve("module-info.class"))) {
      core = ModuleDescriptor.read(in);
    }

    assertThat(
            core.exports().stream()
                .filter(each -> !each.isQualified())
                .map(ModuleDescriptor.Exports::source))
        .containsExactlyInAnyOrder("dev.hapax", "dev.hapax.flow");
  }

  @Test
  void a_module_of_a_user_compiles_with_what_the_first_ring_shows() throws IOException {
    assertThat(compiledByUser("dev.hapax.Hapax", "dev.hapax.flow.Flow")).isEmpty();
  }

  @Test
  void a_module_of_a_user_cannot_import_the_engine_or_the_store() throws IOException {
    assertThat(compiledByUser("dev.hapax.engine.Engine"))
        .contains("package dev.hapax.engine is not visible");
    assertThat(compiledByUser("dev.hapax.store.Store"))
        .contains("package dev.hapax.store is not visible");
  }

  private String compiledByUser(String... imports) throws IOException {
    Path user = Files.createDirectories(temp.resolve("user/shop"));
    Path module = user.resolveSibling("module-info.java");
    Files.writeString(module, "module shop { requires dev.hapax.core; }");
    Path shop = user.resolve("Shop.java");
    Files.writeString(
        shop,
        Stream.of(imports)
            .map("import %s;\n"::formatted)
            .collect(Collectors.joining("", "package shop;\n", "class Shop {}\n")));
    return compile(temp.resolve("out"), described + File.pathSeparator + libraries(), module, shop);
  }

  /** Returns what the compiler says; nothing if it succeeds. */
  private static String compile(Path target, String modules, Path... sources) {
    var said = new StringWriter();
    var compiler = ToolProvider.getSystemJavaCompiler();
    var options =
        List.of(
            "-proc:none",
            "--module-path",
            modules,
            "--patch-module",
            "dev.hapax.core=" + placeOf(Hapax.class),
            "-d",
            target.toString());
    try (var files = compiler.getStandardFileManager(null, null, null)) {
      compiler.getTask(said, files, null, options, null, files.getJavaFileObjects(sources)).call();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
    return said.toString();
  }

  private static String libraries() {
    return Stream.of(
            JsonInclude.class, JsonParser.class, ObjectMapper.class, Logger.class, NullMarked.class)
        .map(type -> placeOf(type).toString())
        .distinct()
        .collect(Collectors.joining(File.pathSeparator));
  }

  private static Path placeOf(Class<?> type) {
    try {
      return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Surefire names the folder of the module; an IDE starts in it or in the root. */
  private static Path coreFolder() {
    Path module = Path.of(System.getProperty("basedir", ".")).toAbsolutePath().normalize();
    Path below = module.resolve("core");
    return Files.exists(below) ? below : module.resolveSibling("core");
  }
}
