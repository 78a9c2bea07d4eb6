package dev.hapax.app;

import dev.hapax.app.http.Authenticator;
import dev.hapax.flow.Flow;
import dev.hapax.flows.FlowFiles;
import java.util.List;
import java.util.function.UnaryOperator;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * The parts that an embedding program adds to its server.
 *
 * @param files what flow files may use, for example handlers
 * @param access finds the owner of a token
 * @param flows in Java, for all tenants
 * @param database the program's own connections; null for the store of the settings
 * @param prefix where the program mounts the routes; null for our own server
 */
record Extras(
    UnaryOperator<FlowFiles.Builder> files,
    UnaryOperator<Authenticator> access,
    List<Flow<?, ?>> flows,
    @Nullable DataSource database,
    @Nullable String prefix) {
  static final Extras NONE = of(UnaryOperator.identity(), UnaryOperator.identity());

  Extras {
    flows = List.copyOf(flows);
  }

  static Extras of(UnaryOperator<FlowFiles.Builder> files, UnaryOperator<Authenticator> access) {
    return new Extras(files, access, List.of(), null, null);
  }
}
