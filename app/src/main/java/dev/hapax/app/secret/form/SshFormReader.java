package dev.hapax.app.secret.form;

import dev.hapax.flows.connection.Connection;
import java.time.Duration;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads another machine. */
record SshFormReader(ConnectionForm.Ssh form) implements FormReader {
  private static final String FINGERPRINT = "SHA256:[A-Za-z0-9+/]{43}";
  private static final int LONGEST_USER = 64;

  @Override
  public Connection connection(String name) {
    if (form.key() == null && form.password() == null) {
      throw new IllegalArgumentException(
          "ssh: expected key or password, each the name of a secret, got neither");
    }
    if (form.passphrase() != null && form.key() == null) {
      throw new IllegalArgumentException(
          "ssh.passphrase: it opens a private key, but there is no 'key'");
    }
    return new Connection.Ssh(
        name,
        FormFields.host("ssh.host", form.host()),
        FormFields.port("ssh.port", form.port(), Connection.Ssh.USUAL_PORT),
        FormFields.user("ssh.user", LONGEST_USER, form.user()),
        hostKeys(),
        form.key(),
        form.passphrase(),
        form.password(),
        FormFields.time("ssh.connectTimeout", form.connectTimeout(), Duration.ofSeconds(10)),
        keep(),
        FormFields.orEmpty(form.privateHosts()),
        FormFields.limits(form.limits()));
  }

  @Override
  public Stream<@Nullable String> secrets() {
    return Stream.of(form.key(), form.passphrase(), form.password());
  }

  @Override
  public Set<String> hosts() {
    return FormFields.lowered(form.host());
  }

  @Override
  public @Nullable Set<String> privateHosts() {
    return form.privateHosts();
  }

  /** Without a key that is known before, another machine could answer. */
  private Set<String> hostKeys() {
    Set<String> given = FormFields.orEmpty(form.hostKeys());
    if (given.isEmpty() || given.stream().anyMatch(key -> !key.matches(FINGERPRINT))) {
      throw new IllegalArgumentException(
          "ssh.hostKeys: expected the fingerprints of the machine's keys, such as SHA256: and 43"
              + " characters; on the machine: ssh-keygen -lf /etc/ssh/ssh_host_ed25519_key.pub");
    }
    return given;
  }

  private Duration keep() {
    Duration keep = FormFields.time("ssh.keep", form.keep(), Connection.Ssh.USUAL_KEEP);
    if (keep.compareTo(Duration.ofDays(1)) < 0) {
      throw new IllegalArgumentException(
          "ssh.keep: expected at least 1d, got '%s'".formatted(form.keep()));
    }
    return keep;
  }
}
