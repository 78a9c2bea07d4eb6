package dev.hapax.flows.step;

import dev.hapax.flows.connection.Connection;
import dev.hapax.flows.connection.StatusMeanings;
import dev.hapax.flows.connection.WireHeaders;
import dev.hapax.flows.expression.Position;
import dev.hapax.flows.expression.Template;
import dev.hapax.flows.expression.ValueTemplate;
import dev.hapax.flows.yaml.Fields;
import dev.hapax.flows.yaml.Place;
import dev.hapax.flows.yaml.Shape;
import dev.hapax.flows.yaml.Type;
import dev.hapax.flows.yaml.Types;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * An HTTP request in a flow file: of a step, of a lookup, or of a list to reconcile with.
 *
 * @param connection null if it has a URL
 * @param meanings of status codes, where they are unusual
 */
public record HttpTemplate(
    Position position,
    @Nullable String connection,
    @Nullable Template url,
    String method,
    @Nullable Template path,
    ValueTemplate.Mapping query,
    ValueTemplate.Mapping headers,
    @Nullable ValueTemplate body,
    StatusMeanings meanings) {
  static final String WORD = "http";

  static final Type TYPE = new Type.Of(WORD);

  private static final Type STATUSES = new Type.Statuses();

  static final Shape SHAPE = shape(WORD, WORD, Place.STEP);

  static final String LOOKING = "lookup-http";

  /** The request of a lookup: it also knows the effect. */
  static final Shape LOOKUP_SHAPE = shape(LOOKING, "http of a lookup", Place.LOOKING);

  static final String LIST = "list";

  /** The request for a page of a list: it belongs to no run. */
  static final Shape LIST_SHAPE =
      Shape.of(LIST, "the list of reconcile")
          .must(
              "connection",
              Types.CONNECTION,
              "The connection with the base address, limits and secrets.")
          .may(
              "path",
              new Type.Templated(Place.LIST),
              "The path below the connection's base address.")
          .may(
              "query",
              new Type.Members(Place.LIST),
              "The query parameters; `page` has `number`, from 1 on, `cursor`, and `from` and `to` of the reconciliation.")
          .build();

  private static Shape shape(String name, String title, Place place) {
    return Shape.of(name, title)
        .either(
            "connection",
            Types.CONNECTION,
            "The connection with the base address, limits and secrets.")
        .either("url", new Type.Templated(place), "A complete address, without secrets.")
        .may(
            "method",
            Types.words("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"),
            "The HTTP method; default GET.")
        .may(
            "path",
            new Type.Templated(place),
            "The path below the connection's base address; a value in it is encoded as part of one segment, or of a query value behind `?`, unless it is `raw(…)`.")
        .may("query", new Type.Members(place), "The query parameters.")
        .may("headers", new Type.Members(place), "Additional headers.")
        .may("body", new Type.Value(place), "The body, sent as JSON; a text is sent as it is.")
        .may(
            "notApplied",
            STATUSES,
            "Status codes that say that nothing happened; the request is retried.")
        .may("alreadyDone", STATUSES, "Status codes that say that it happened before.")
        .may("inFlight", STATUSES, "Status codes that say that it is still in progress.")
        .build();
  }

  static HttpTemplate read(Position at, Fields http) {
    return new HttpTemplate(
        at,
        http.textOrNull("connection"),
        http.templateOrNull("url"),
        http.text("method", "GET"),
        http.templateOrNull("path"),
        http.members("query"),
        http.members("headers"),
        http.valueOrNull("body"),
        new StatusMeanings(
            Set.copyOf(http.<Integer>list("notApplied")),
            Set.copyOf(http.<Integer>list("alreadyDone")),
            Set.copyOf(http.<Integer>list("inFlight"))));
  }

  /** Returns the headers that it must not set. */
  public List<String> wireHeaders() {
    return headers.members().keySet().stream().filter(WireHeaders::contains).toList();
  }

  Stream<Template> templates() {
    return Templates.of(url, path, query, headers, body);
  }

  /** Returns null if it has a URL instead. */
  Connection.@Nullable Http connection(StepServices services) {
    return connection == null ? null : services.connection(connection, Connection.Http.class);
  }
}
