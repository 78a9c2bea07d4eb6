package dev.hapax.app.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.hapax.app.http.Call;
import dev.hapax.app.http.Problem;
import dev.hapax.app.http.Route;
import dev.hapax.app.http.RouteAnswer;
import dev.hapax.app.http.ShortList;
import dev.hapax.app.http.TokenScope;
import dev.hapax.flow.RunStatus;
import dev.hapax.store.NodeLease;
import dev.hapax.store.OpenWork;
import dev.hapax.store.Store;
import dev.hapax.time.Clock;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** {@code /api/nodes}: the processes that work on this store. */
public final class NodeRoutes {
  private final Store store;
  private final Clock clock;
  private final String version;
  private final Instant startedAt;

  public NodeRoutes(Store store, Clock clock, String version) {
    this.store = store;
    this.clock = clock;
    this.version = version;
    this.startedAt = clock.now();
  }

  /**
   * The nodes of a server.
   *
   * @param shared whether several nodes can use the store at once
   * @param next of the next page; null after the last one
   */
  public record NodeList(
      Instant now, boolean shared, List<NodeView> items, @Nullable String next) {}

  /**
   * A node.
   *
   * @param node its mark, from 0 to 255: no other node that is alive has it
   * @param answers whether this node answers the request
   * @param version of the program; only of the node that answers
   * @param startedAt of the process; only of the node that answers
   * @param since its lease was held without a gap since then
   * @param renewedAt when it last renewed its lease
   * @param expiresAt when other nodes take over its runs if it does not renew its lease
   * @param runsInMemory of all tenants
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record NodeView(
      int node,
      boolean answers,
      @Nullable String version,
      @Nullable Instant startedAt,
      @Nullable Instant since,
      @Nullable Instant renewedAt,
      @Nullable Instant expiresAt,
      long runsInMemory) {}

  /**
   * Returns its routes.
   *
   * @param operator the tenant whose admins may see the whole server
   */
  public List<Route> routes(String operator) {
    return List.of(
        Route.get(
                "/api/nodes",
                TokenScope.ADMIN,
                "List the nodes of this server with their leases and what they have in memory",
                call -> list(call, operator))
            .gives(200, NodeList.class)
            .paged());
  }

  private RouteAnswer list(Call call, String operator) {
    call.allowQuery("limit", "after");
    if (!call.actor().tenant().equals(operator)) {
      throw Problem.forbidden("only an admin of the operator's tenant may see the nodes");
    }
    List<NodeLease> leases = store.nodes();
    int own = store.mark();
    List<NodeView> nodes =
        leases.isEmpty() ? List.of(alone()) : leases.stream().map(one -> view(one, own)).toList();
    ShortList<NodeView> page = ShortList.of(call, nodes);
    return RouteAnswer.ok(new NodeList(clock.now(), !leases.isEmpty(), page.items(), page.next()));
  }

  private NodeView view(NodeLease lease, int own) {
    boolean isOwn = lease.mark() == own;
    return new NodeView(
        lease.mark(),
        isOwn,
        isOwn ? version : null,
        isOwn ? startedAt : null,
        lease.since(),
        lease.renewedAt(),
        lease.expiresAt(),
        lease.runs());
  }

  /** The only process that can use the store has no lease to renew. */
  private NodeView alone() {
    long running =
        store.tenants().open(0).runs().stream()
            .filter(one -> one.status() == RunStatus.RUNNING)
            .mapToLong(OpenWork.Runs::count)
            .sum();
    return new NodeView(store.mark(), true, version, startedAt, null, null, null, running);
  }
}
