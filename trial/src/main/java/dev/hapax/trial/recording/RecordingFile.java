package dev.hapax.trial.recording;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.hapax.json.Json;
import dev.hapax.json.NotSerializable;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What one destination has answered, as a file.
 *
 * @param destination a connection, or a host and its port
 */
record RecordingFile(String destination, List<Exchange> exchanges) {
  static final long MOST_BYTES = 8L << 20;
  private static final int MOST_EXCHANGES = 1_000;
  private static final int MOST_ANSWERS = 200;

  /**
   * A request and its answers in their order; the last one repeats.
   *
   * @param step that sent it first, for people
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record Exchange(@Nullable String step, RecordedRequest request, List<RecordedAnswer> answers) {}

  RecordingFile {
    exchanges = List.copyOf(exchanges);
  }

  /**
   * Reads a file that a person may have edited.
   *
   * @throws IOException if it is no recording; the message says why, without the name of the file
   */
  static RecordingFile read(Path file) throws IOException {
    if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
      throw new IOException("is not a file: links and folders are not read");
    }
    if (Files.size(file) > MOST_BYTES) {
      throw new IOException("has more than 8 MB");
    }
    try {
      RecordingFile read = Json.read(Files.readString(file), RecordingFile.class);
      read.refuseProblems();
      return read;
    } catch (CharacterCodingException e) {
      throw new IOException("is not UTF-8", e);
    } catch (NotSerializable | NullPointerException e) { // null where something must be
      throw new IOException("is not a recording: " + firstLine(e), e);
    }
  }

  private static String firstLine(RuntimeException e) {
    return String.valueOf(e.getMessage()).lines().findFirst().orElse("");
  }

  private void refuseProblems() throws IOException {
    for (Exchange exchange : exchanges) {
      Objects.requireNonNull(exchange.request().method(), "a request has no method");
      Objects.requireNonNull(exchange.request().path(), "a request has no path");
      if (exchange.answers().isEmpty()) {
        throw new IOException("has no answer to " + exchange.request().shown());
      }
      for (RecordedAnswer answer : exchange.answers()) {
        String problem = answer.problem();
        if (problem != null) {
          throw new IOException(
              "has an answer to %s that cannot be given: %s"
                  .formatted(exchange.request().shown(), problem));
        }
      }
    }
  }

  /** Returns the answers to a request; a person may have opened one for any body. */
  @Nullable Exchange find(RecordedRequest asked) {
    return exchanges.stream()
        .filter(exchange -> exchange.request().isExactly(asked))
        .findFirst()
        .or(
            () ->
                exchanges.stream()
                    .filter(exchange -> exchange.request().isOpenFor(asked))
                    .findFirst())
        .orElse(null);
  }

  /**
   * Adds an answer.
   *
   * @param isFirst whether it replaces those of an earlier session
   * @return null if there is no room
   */
  @Nullable RecordingFile with(
      @Nullable String step, RecordedRequest request, RecordedAnswer answer, boolean isFirst) {
    var all = new ArrayList<>(exchanges);
    int at = 0;
    while (at < all.size() && !all.get(at).request().isExactly(request)) {
      at++;
    }
    if (at == all.size()) {
      all.add(new Exchange(step, request, List.of(answer)));
      return all.size() > MOST_EXCHANGES ? null : new RecordingFile(destination, all);
    }
    List<RecordedAnswer> before = isFirst ? List.of() : all.get(at).answers();
    List<RecordedAnswer> answers = added(before, answer);
    all.set(at, new Exchange(all.get(at).step(), request, answers));
    return answers.size() > MOST_ANSWERS ? null : new RecordingFile(destination, all);
  }

  private static List<RecordedAnswer> added(List<RecordedAnswer> before, RecordedAnswer answer) {
    var answers = new ArrayList<>(before);
    if (!answers.isEmpty() && answers.getLast().isSameAs(answer)) {
      answers.set(answers.size() - 1, answers.getLast().onceMore());
    } else {
      answers.add(answer);
    }
    return answers;
  }

  /**
   * Writes the file at once: a process that dies leaves the file of before, or this one.
   *
   * @throws IOException if it is too large, or the disk refuses it
   */
  void write(Path file) throws IOException {
    byte[] text = (Json.indented(this) + "\n").getBytes(StandardCharsets.UTF_8);
    if (text.length > MOST_BYTES) {
      throw new IOException("the file would have more than 8 MB");
    }
    Files.createDirectories(Objects.requireNonNull(file.getParent()));
    Path fresh = file.resolveSibling("." + file.getFileName() + ".new");
    Files.write(fresh, text);
    Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }
}
