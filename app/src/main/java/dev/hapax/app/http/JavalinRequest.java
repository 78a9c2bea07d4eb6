package dev.hapax.app.http;

import io.javalin.http.Context;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.io.InputStream;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A request that Javalin carries. */
final class JavalinRequest implements Request {
  private final Context context;
  private final int largestBody;
  private byte @Nullable [] body;

  JavalinRequest(Context context, int largestBody) {
    this.context = context;
    this.largestBody = largestBody;
  }

  @Override
  public String path() {
    return context.path();
  }

  @Override
  public String pathParameter(String name) {
    return context.pathParam(name);
  }

  @Override
  public List<String> queryParameters(String name) {
    return context.queryParams(name);
  }

  @Override
  public List<String> queryNames() {
    return List.copyOf(context.queryParamMap().keySet());
  }

  @Override
  public @Nullable String header(String name) {
    return context.req().getHeader(name);
  }

  @Override
  public Map<String, List<String>> headers() {
    var headers = new TreeMap<String, List<String>>();
    HttpServletRequest request = context.req();
    for (String name : Collections.list(request.getHeaderNames())) {
      headers.put(name.toLowerCase(Locale.ROOT), Collections.list(request.getHeaders(name)));
    }
    return headers;
  }

  @Override
  public String remoteAddress() {
    return context.req().getRemoteAddr();
  }

  @Override
  public byte[] body() {
    byte[] known = body;
    if (known == null) {
      known = read(context.req());
      body = known;
    }
    return known;
  }

  /** One byte more than is allowed is read at most, whatever the length says. */
  private byte[] read(HttpServletRequest request) {
    if (request.getContentLengthLong() > largestBody) {
      throw tooLarge();
    }
    try {
      InputStream in = request.getInputStream();
      byte[] read = in.readNBytes(largestBody + 1);
      if (read.length > largestBody) {
        throw tooLarge();
      }
      return read;
    } catch (IOException e) {
      throw Problem.of("timeout", 408, "the body did not come as a whole")
          .header("Connection", "close");
    }
  }

  private Problem tooLarge() {
    return Problem.tooLarge("body: expected at most %,d bytes".formatted(largestBody));
  }
}
