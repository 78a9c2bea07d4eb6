package dev.hapax.app.api;

import dev.hapax.app.http.Call;
import dev.hapax.app.http.FlowSubject;
import dev.hapax.app.http.Problem;
import dev.hapax.app.http.Route;
import dev.hapax.app.http.RouteAnswer;
import dev.hapax.app.http.TokenScope;
import dev.hapax.flow.Resource;
import dev.hapax.run.value.ResourceRecord;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Large values, stored once and passed by reference. Browsers open none, regardless of type. */
public final class ResourceShelf {
  private ResourceShelf() {}

  /** Returns its routes. */
  public static List<Route> routes() {
    return List.of(
        Route.post(
                "/api/resources",
                TokenScope.RESOURCES_WRITE,
                "Store a large value",
                ResourceShelf::put)
            .about(FlowSubject.SHARED)
            .largestBody(ResourceRecord.LARGEST)
            .takes("application/octet-stream")
            .gives(201, Stored.class),
        Route.get(
                "/api/resources/{hash}",
                TokenScope.RESOURCES_READ,
                "Get a large value",
                ResourceShelf::get)
            .about(FlowSubject.SHARED)
            .givesText("application/octet-stream"));
  }

  private record Stored(String ref, int bytes, String contentType) {}

  private static RouteAnswer put(Call call) {
    byte[] content = call.body();
    String type = call.header("Content-Type");
    String contentType = type == null ? "application/octet-stream" : type;
    String ref = call.hapax().resources().put(content, contentType);
    return RouteAnswer.created(
        new Stored(ref, content.length, contentType),
        "/api/resources/" + ref.substring("res://".length()));
  }

  private static RouteAnswer get(Call call) {
    String hash = call.path("hash");
    Resource found = find(call, hash);
    if (found == null) {
      throw Problem.notFound("there is no resource '%s'".formatted(hash));
    }
    return RouteAnswer.bytes(found.bytes(), found.contentType())
        .header("Content-Disposition", "attachment")
        .header("Content-Security-Policy", "default-src 'none'; sandbox");
  }

  private static @Nullable Resource find(Call call, String hash) {
    try {
      return call.hapax().resources().find("res://" + hash);
    } catch (IllegalArgumentException e) {
      return null;
    }
  }
}
