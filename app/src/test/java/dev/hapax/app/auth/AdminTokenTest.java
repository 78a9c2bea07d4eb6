package dev.hapax.app.auth;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.app.http.Scope;
import dev.hapax.time.Ports;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AdminTokenTest {
  @TempDir Path folder;

  @Test
  void the_first_start_makes_a_token_that_only_its_owner_can_read() throws Exception {
    AdminToken first = AdminToken.in(folder, Ports.system().random());
    AdminToken second = AdminToken.in(folder, Ports.system().random());

    assertThat(first.isNew()).isTrue();
    assertThat(second.isNew()).isFalse();
    assertThat(second.token()).isEqualTo(first.token()).startsWith("hapax_admin_").hasSize(64);
    assertThat(
            PosixFilePermissions.toString(
                Files.getPosixFilePermissions(folder.resolve("admin.token"))))
        .isEqualTo("rw-------");
  }

  @Test
  void only_the_token_itself_is_the_admin() throws Exception {
    AdminToken token = AdminToken.in(folder, Ports.system().random());

    assertThat(token.actor(token.token()))
        .satisfies(actor -> assertThat(actor.may(Scope.ADMIN)).isTrue());
    assertThat(token.actor(token.token() + "x")).isNull();
    assertThat(token.actor("")).isNull();
  }
}
