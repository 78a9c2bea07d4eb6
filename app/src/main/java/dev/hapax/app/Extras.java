package dev.hapax.app;

import dev.hapax.app.http.Authenticator;
import dev.hapax.flow.Flow;
import dev.hapax.flows.FlowFiles;
import dev.hapax.store.Store;
import dev.hapax.time.Ports;
import java.util.List;
import java.util.function.UnaryOperator;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * The parts that an embedding program, or a verb, adds to its server.
 *
 * @param files what flow files may use, for example handlers
 * @param access finds the owner of a token
 * @param flows in Java, for all tenants
 * @param database the program's own connections; null for the store of the settings
 * @param prefix where the program mounts the routes; null for our own server
 * @param store wraps the store; tests cut the server off from it
 * @param ports its clock, random numbers and threads
 */
record Extras(
    UnaryOperator<FlowFiles.Builder> files,
    UnaryOperator<Authenticator> access,
    List<Flow<?, ?>> flows,
    @Nullable DataSource database,
    @Nullable String prefix,
    UnaryOperator<Store> store,
    Ports ports,
    Companion companion) {
  static final Extras NONE = of(UnaryOperator.identity(), UnaryOperator.identity());

  Extras {
    flows = List.copyOf(flows);
  }

  static Extras of(UnaryOperator<FlowFiles.Builder> files, UnaryOperator<Authenticator> access) {
    return new Extras(
        files,
        access,
        List.of(),
        null,
        null,
        UnaryOperator.identity(),
        Ports.system(),
        Companion.NONE);
  }

  /** Returns the parts of a program that carries the routes itself. */
  static Extras mounted(
      UnaryOperator<FlowFiles.Builder> files,
      List<Flow<?, ?>> flows,
      @Nullable DataSource database,
      String prefix) {
    return new Extras(
        files,
        UnaryOperator.identity(),
        flows,
        database,
        prefix,
        UnaryOperator.identity(),
        Ports.system(),
        Companion.NONE);
  }

  /** Returns the parts of a server with another clock, and with this companion. */
  static Extras with(UnaryOperator<FlowFiles.Builder> files, Ports ports, Companion companion) {
    return new Extras(
        files,
        UnaryOperator.identity(),
        List.of(),
        null,
        null,
        UnaryOperator.identity(),
        ports,
        companion);
  }

  /** Returns the same parts, with a store that is wrapped so. */
  Extras storedIn(UnaryOperator<Store> wrapped) {
    return new Extras(files, access, flows, database, prefix, wrapped, ports, companion);
  }
}
