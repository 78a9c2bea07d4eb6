package dev.hapax.app.secret.outside;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.hapax.flow.NotApplied;
import dev.hapax.testkit.ManualTime;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Debian's pass is a secret store behind our example of a helper. */
@Tag("server")
@SuppressWarnings("MemberName") // the names of tests are sentences
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class PassHelperTest {
  private static final Path BASE = Path.of(System.getProperty("basedir", "app")).toAbsolutePath();
  private static final Path TOOLS = BASE.resolve("target/pass");

  @TempDir Path folder;

  @Test
  void a_secret_comes_from_pass() throws Exception {
    assumeTrue(isThere("gpg"), "gpg is missing; Debian has it in 'gnupg'");
    boolean hasPass = pass();
    assumeTrue(hasPass, "pass is missing, and its package cannot be downloaded");
    makeStore();
    Path sources =
        Files.writeString(
            folder.resolve("sources.yaml"),
            """
            helpers:
              pass: {command: ["%s"], timeout: 15s}
            secrets:
              acme:
                bank-token: {helper: pass, key: team/bank}
                missing: {helper: pass, key: team/nothing}
            """
                .formatted(wrapper()));
    OutsideSecrets secrets = SourcesFile.read(sources, new ManualTime());

    assertThat(secrets.value("acme", "bank-token", (_, _, _) -> {})).isEqualTo("s3cr\"et\\ ä");
    assertThatThrownBy(() -> secrets.value("acme", "missing", (_, _, _) -> {}))
        .isInstanceOf(NotApplied.class);
    run("", "gpgconf", "--homedir", folder.resolve("gnupg").toString(), "--kill", "all");
  }

  /** The operator's environment for pass: its store and keys are in our folder. */
  private Path wrapper() throws IOException {
    Path helper = BASE.resolve("../examples/secrets/hapax-secret-pass").normalize();
    Path wrapper =
        Files.writeString(
            folder.resolve("helper"),
            "#!/bin/sh\n%sexec '%s' \"$@\"\n".formatted(environment(), helper));
    return Files.setPosixFilePermissions(wrapper, PosixFilePermissions.fromString("rwx------"));
  }

  private String environment() {
    return "export GNUPGHOME='%s' PASSWORD_STORE_DIR='%s' PATH=\"$PATH:%s\"\n"
        .formatted(folder.resolve("gnupg"), folder.resolve("store"), TOOLS.resolve("usr/bin"));
  }

  private void makeStore() throws Exception {
    Files.createDirectory(
        folder.resolve("gnupg"),
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    script(
        "",
        "gpg --batch --quiet --passphrase '' --quick-generate-key hapax@example.org default default never");
    script("", "pass init hapax@example.org");
    script("s3cr\"et\\ ä\nlogin: hapax\n", "pass insert -m team/bank");
  }

  private void script(String input, String command) throws Exception {
    Said said = run(input, "sh", "-c", environment() + command);
    assertThat(said.exit()).as(said.out()).isZero();
  }

  /** Returns whether it is installed, or could be downloaded. */
  private static boolean pass() throws Exception {
    if (!isThere("pass") && !Files.isExecutable(TOOLS.resolve("usr/bin/pass"))) {
      Files.createDirectories(TOOLS);
      run(
          "",
          "sh",
          "-c",
          "cd '%s' && apt-get download -qq pass && dpkg-deb -x pass_*.deb .".formatted(TOOLS));
    }
    return isThere("pass") || Files.isExecutable(TOOLS.resolve("usr/bin/pass"));
  }

  private static boolean isThere(String program) throws Exception {
    return run("", "sh", "-c", "command -v " + program).exit() == 0;
  }

  private record Said(int exit, String out) {}

  private static Said run(String input, String... command) throws Exception {
    Process process = new ProcessBuilder(List.of(command)).redirectErrorStream(true).start();
    try (var in = process.getOutputStream()) {
      in.write(input.getBytes(StandardCharsets.UTF_8));
    }
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    return new Said(process.exitValue(), out);
  }
}
