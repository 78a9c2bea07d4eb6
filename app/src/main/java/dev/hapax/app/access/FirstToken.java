package dev.hapax.app.access;

import dev.hapax.Kv;
import dev.hapax.app.data.Outcome;
import dev.hapax.app.data.Records;
import dev.hapax.app.data.Stored;
import dev.hapax.app.http.TokenScope;
import dev.hapax.app.secret.OwnerFile;
import dev.hapax.time.RandomSource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The operator's token of a server's first start, in a file that only its owner can read. A server
 * creates one in its life; there is no default password. The file is written before the server
 * knows the token, so a crash in between locks out no operator: the next start continues from the
 * file.
 */
public final class FirstToken {
  private static final Logger log = LoggerFactory.getLogger(FirstToken.class);
  private static final String FILE = "admin.token";
  private static final String ONLY = "only";

  private final Records<First> firsts;
  private final TokenBook tokens;
  private final RandomSource random;

  /** The id of the first token. */
  record First(String id) {}

  public FirstToken(Kv map, TokenBook tokens, RandomSource random) {
    this.firsts = new Records<>(map, "first-token", First.class);
    this.tokens = tokens;
    this.random = random;
  }

  /** Makes the token. Returns it if this start created it and must show it; null otherwise. */
  public @Nullable String makeIn(Path folder) throws IOException {
    Path file = folder.resolve(FILE);
    boolean isThere = Files.exists(file);
    TokenText text = isThere ? read(file) : null;
    Stored<First> first = firsts.get(ONLY);
    if (first == null && text == null) {
      text = TokenText.fresh(random);
      if (isThere) {
        throw new IllegalStateException(
            file + " holds no token. Remove it, and the next start makes one");
      }
      OwnerFile.make(file, text.shown() + "\n");
    }
    if (text == null) {
      return null; // it was created before, here or on another node, and its file removed
    }
    Outcome<First> outcome = firsts.putIfAbsent(ONLY, new First(text.id()));
    if (!Objects.requireNonNull(outcome.standing()).value().id().equals(text.id())) {
      if (!isThere) {
        Files.delete(file); // another node was first
      } else {
        log.warn(
            "{} holds a token that is not this server's first one; the server ignores it", file);
      }
      return null;
    }
    tokens.create(
        text,
        new TokenBook.Wanted(
            TenantBook.OPERATOR,
            "admin",
            List.of(TokenScope.ADMIN.word()),
            List.of("admin"),
            null,
            null),
        "first start");
    return outcome.written() ? text.shown() : null;
  }

  private static @Nullable TokenText read(Path file) throws IOException {
    return TokenText.parse(OwnerFile.read(file).strip());
  }
}
