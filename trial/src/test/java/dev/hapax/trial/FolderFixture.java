package dev.hapax.trial;

import dev.hapax.flows.connection.Connections;
import dev.hapax.trial.cases.CaseSuite;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A folder of flows and cases that a test writes. */
public record FolderFixture(Path root) {
  /** A flow with one effect per guard that the tests need. */
  public static final String CHARGE =
      """
      flow: charge
      key: ${input.id}
      steps:
        - id: charge
          http: {connection: payments, method: POST, path: /charges, body: {order: "${input.id}"}}
          effect: {kind: create, key: "${input.id}", guard: keyed, externalId: "${output.body.id}"}
      output: {charge: "${steps.charge.externalId}"}
      """;

  public FolderFixture with(String name, String text) {
    try {
      Path file = root.resolve(name);
      Files.createDirectories(file.resolveSibling(""));
      Files.writeString(file, text);
      return this;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public FlowFolder read() {
    try {
      return FlowFolder.read(root, "");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public CaseSuite.Outcome run() {
    try {
      FlowFolder folder = read();
      return new CaseSuite(folder, Connections.NONE, EventDoor.CLOSED)
          .run(folder.tests(), _ -> true);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
