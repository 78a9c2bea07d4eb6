package dev.hapax.app.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The server to use, and the token. A flag takes precedence over the environment, and that over the
 * current profile, whose token goes to its own server only.
 */
record Target(Address address, @Nullable String token) {

  static Target of(ServerOptions options, Surroundings surroundings) {
    if (options.profile != null) {
      Profile named = Profiles.called(options.profile, new ProfileFile(surroundings).read());
      return new Target(Address.of(options.url != null ? options.url : named.url()), named.token());
    }
    String url = options.url != null ? options.url : surroundings.variable("HAPAX_URL");
    String token = token(options, surroundings);
    Profile current = token != null && url != null ? null : current(surroundings);
    Address address = url != null ? Address.of(url) : addressOf(current);
    return new Target(address, token == null ? tokenOf(current, address) : token);
  }

  private static @Nullable String tokenOf(@Nullable Profile profile, Address address) {
    return profile != null && Address.of(profile.url()).equals(address) ? profile.token() : null;
  }

  private static @Nullable Profile current(Surroundings surroundings) {
    String named = surroundings.variable("HAPAX_PROFILE");
    ProfileFile.Content content = new ProfileFile(surroundings).read();
    if (named != null) {
      return Profiles.called(named, content);
    }
    return content.current() == null ? null : content.profiles().get(content.current());
  }

  private static Address addressOf(@Nullable Profile profile) {
    return profile == null ? Address.USUAL : Address.of(profile.url());
  }

  private static @Nullable String token(ServerOptions options, Surroundings surroundings) {
    String token = surroundings.variable("HAPAX_TOKEN");
    if (token != null) {
      return token.strip();
    }
    String file = surroundings.variable("HAPAX_TOKEN_FILE");
    if (file != null) {
      return read(surroundings.path(file), "HAPAX_TOKEN_FILE");
    }
    String data = options.data != null ? options.data : surroundings.variable("HAPAX_DATA");
    return data == null ? null : read(surroundings.path(data).resolve("admin.token"), "--data");
  }

  private static String read(Path file, String because) {
    try {
      return Files.readString(file).strip();
    } catch (NoSuchFileException _) {
      throw Refusal.of(
              Exit.NOT_FOUND, "token-not-found", "%s: there is no '%s'".formatted(because, file))
          .hint("'hapax serve --data DIR' makes DIR/admin.token at its first start");
    } catch (IOException e) {
      throw Refusal.of(
          Exit.REFUSED,
          "file-unreadable",
          "%s: '%s' cannot be read: %s".formatted(because, file, e.getMessage()));
    }
  }
}
