package dev.hapax.app.cli.connection;

import dev.hapax.app.cli.output.Exit;
import dev.hapax.app.cli.output.Refusal;
import dev.hapax.app.cli.output.Surroundings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The server to use, and the token. A flag takes precedence over the environment, and that over the
 * current profile, whose token goes to its own server only.
 */
public record Target(Address address, @Nullable String token, Trust trust) {
  public Target(Address address, @Nullable String token) {
    this(address, token, Trust.SYSTEM);
  }

  public static Target of(ServerOptions options, Surroundings surroundings) {
    if (options.profile != null) {
      Profile named = new ProfileFile(surroundings).read().profile(options.profile);
      return new Target(
          Address.of(options.url != null ? options.url : named.url()),
          named.token(),
          trust(options, surroundings, named.trust()));
    }
    String url = options.url != null ? options.url : surroundings.variable("HAPAX_URL");
    String token = token(options, surroundings);
    Profile current = token != null && url != null ? null : current(surroundings);
    Address address = url != null ? Address.of(url) : addressOf(current);
    if (current == null || !Address.of(current.url()).equals(address)) {
      return new Target(address, token, trust(options, surroundings, Trust.SYSTEM));
    }
    return new Target(
        address,
        token == null ? current.token() : token,
        trust(options, surroundings, current.trust()));
  }

  private static Trust trust(ServerOptions options, Surroundings surroundings, Trust usual) {
    String ca = options.ca != null ? options.ca : surroundings.variable("HAPAX_CA");
    String own =
        options.certificate != null
            ? options.certificate
            : surroundings.variable("HAPAX_CERTIFICATE");
    return new Trust(
        ca == null ? usual.ca() : surroundings.path(ca),
        own == null ? usual.certificate() : surroundings.path(own));
  }

  private static @Nullable Profile current(Surroundings surroundings) {
    String named = surroundings.variable("HAPAX_PROFILE");
    ProfileFile.Content content = new ProfileFile(surroundings).read();
    if (named != null) {
      return content.profile(named);
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
    Path data = options.dataFolder(surroundings);
    return data == null ? null : read(data.resolve("admin.token"), "--data");
  }

  private static String read(Path file, String because) {
    try {
      return Files.readString(file).strip();
    } catch (NoSuchFileException _) {
      throw Refusal.of(
              Exit.NOT_FOUND, "token-not-found", "%s: '%s' does not exist".formatted(because, file))
          .hint("'hapax serve --data DIR' creates DIR/admin.token at its first start");
    } catch (IOException e) {
      throw Refusal.of(
          Exit.REFUSED,
          "file-unreadable",
          "%s: cannot read '%s': %s".formatted(because, file, e.getMessage()));
    }
  }
}
