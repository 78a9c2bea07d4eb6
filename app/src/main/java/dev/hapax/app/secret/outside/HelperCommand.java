package dev.hapax.app.secret.outside;

import dev.hapax.app.secret.outside.SecretSource.CannotRead;
import dev.hapax.json.Json;
import dev.hapax.json.NotSerializable;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import tools.jackson.databind.JsonNode;

/**
 * A program that asks a secret store, with the protocol of Docker's credential helpers: it is
 * called with the argument {@code get}, reads the name of a secret from its input, and prints JSON
 * with the member {@code Secret}. The program gets the server's environment without the settings of
 * Hapax.
 *
 * @param timeout after which the program and all that it started are ended
 * @param freshFor how long its answer is used before it is asked again
 */
record HelperCommand(
    String name, List<String> command, Duration timeout, Duration freshFor, Semaphore atOnce) {
  /** Each character of a value may be escaped as six. */
  private static final int MOST_OUTPUT = 6 * SecretSource.LONGEST_VALUE + 4_096;

  private static final int MOST_AT_ONCE = 4;
  private static final Duration LOOK_EVERY = Duration.ofMillis(10);

  HelperCommand(String name, List<String> command, Duration timeout, Duration freshFor) {
    this(name, List.copyOf(command), timeout, freshFor, new Semaphore(MOST_AT_ONCE));
  }

  /** Returns the secret of this name in the helper's store. */
  String get(String key) throws CannotRead {
    long until = System.nanoTime() + timeout.toNanos();
    try {
      if (!atOnce.tryAcquire(timeout.toNanos(), TimeUnit.NANOSECONDS)) {
        throw failed("is busy with other secrets");
      }
      try {
        return secretIn(output(key, until));
      } finally {
        atOnce.release();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw failed("was not awaited, because the server stops");
    }
  }

  private byte[] output(String key, long until) throws CannotRead, InterruptedException {
    Process process = start();
    try {
      tell(process, key);
      byte[] output = output(process, until);
      if (process.exitValue() != 0) {
        throw failed("ended with exit code " + process.exitValue());
      }
      return output;
    } finally {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
      close(process.getInputStream());
    }
  }

  private static void close(InputStream pipe) {
    try {
      pipe.close();
    } catch (IOException e) {
      // Nothing more is read from it.
    }
  }

  private Process start() throws CannotRead {
    List<String> call = new ArrayList<>(command);
    call.add("get");
    var builder = new ProcessBuilder(call).redirectError(ProcessBuilder.Redirect.DISCARD);
    builder.environment().keySet().removeIf(variable -> variable.startsWith("HAPAX_"));
    try {
      return builder.start();
    } catch (IOException e) {
      throw failed("cannot be started");
    }
  }

  private static void tell(Process process, String key) {
    try (OutputStream in = process.getOutputStream()) {
      in.write((key + "\n").getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      // It did not read its input; what it prints decides.
    }
  }

  /** Looks from time to time and never blocks: a grandchild may keep the pipe open for ever. */
  private byte[] output(Process process, long until) throws CannotRead, InterruptedException {
    var output = new ByteArrayOutputStream();
    InputStream out = process.getInputStream();
    try {
      while (true) {
        boolean isOver = process.waitFor(LOOK_EVERY.toMillis(), TimeUnit.MILLISECONDS);
        for (int there = out.available(); there > 0; there = out.available()) {
          output.write(out.readNBytes(Math.min(there, MOST_OUTPUT)));
          if (output.size() > MOST_OUTPUT) {
            throw failed("printed too much");
          }
        }
        if (isOver) {
          return output.toByteArray();
        }
        if (System.nanoTime() - until > 0) {
          throw failed("did not answer within %d ms".formatted(timeout.toMillis()));
        }
      }
    } catch (IOException e) {
      throw failed("closed its output");
    }
  }

  /** Hides what was printed: it may be the secret. */
  private String secretIn(byte[] output) throws CannotRead {
    try {
      JsonNode secret = Json.tree(new String(output, StandardCharsets.UTF_8)).path("Secret");
      if (secret.isString()) {
        return secret.stringValue();
      }
    } catch (NotSerializable e) {
      // falls through to the one message
    }
    throw failed("printed no JSON with a text 'Secret'");
  }

  private CannotRead failed(String problem) {
    return new CannotRead("helper '%s' %s".formatted(name, problem));
  }
}
