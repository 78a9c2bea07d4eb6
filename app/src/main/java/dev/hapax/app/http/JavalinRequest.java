package dev.hapax.app.http;

import io.javalin.http.Context;
import jakarta.servlet.http.HttpServletRequest;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A request that Javalin carries. */
final class JavalinRequest implements Request {
  private static final Logger log = LoggerFactory.getLogger(JavalinRequest.class);
  private static final int PART = 8 * 1024;
  private static final long MOST_DISCARDED = 8L << 20;
  private static final Duration GRACE = Duration.ofSeconds(5);
  private static final int SLOWEST_BYTES_PER_SECOND = 10_000; // a body takes room while it arrives

  private final Context context;
  private final int largestBody;
  private final BodyRooms rooms;
  private byte @Nullable [] body;
  private BodyRooms.@Nullable Size room;
  private int kept;
  private int parsed;

  JavalinRequest(Context context, int largestBody, BodyRooms rooms) {
    this.context = context;
    this.largestBody = Math.min(largestBody, rooms.of(largestBody).kept().size());
    this.rooms = rooms;
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

  @Override
  public byte[] bodyToParse() {
    byte[] whole = body();
    if (parsed == 0 && room != null) {
      int wanted = Math.min(whole.length, room.parsed().size());
      room.parsed().take(wanted);
      parsed = wanted;
    }
    return whole;
  }

  @Override
  public void forgetBody() {
    body = null;
    if (room != null) {
      room.kept().give(kept);
      room.parsed().give(parsed);
    }
    room = null;
    kept = 0;
    parsed = 0;
  }

  /** Keeps little more than is allowed, no matter what the length says. */
  private byte[] read(HttpServletRequest request) {
    long length = request.getContentLengthLong();
    if (length > largestBody) {
      discard(request, length);
      throw tooLarge();
    }
    int most = length < 0 ? largestBody : (int) length;
    room = rooms.of(most);
    if (most > PART) { // the limit on connections also limits small bodies, which never wait
      room.kept().take(most);
      kept = most;
    }
    ConnectedPeer peer = EntranceFilter.peerOf(request);
    var arrival = new BodyRoom.Arrival(kept, peer == null ? () -> {} : peer::disconnect);
    try {
      begin(peer, arrival);
      return read(request.getInputStream(), length < 0 ? PART : most, arrival);
    } catch (IOException e) {
      throw tooSlow();
    } finally {
      end(peer, arrival);
    }
  }

  /** Only our own server knows the peer, and can end it. */
  private void begin(@Nullable ConnectedPeer peer, BodyRoom.Arrival arrival) {
    if (peer != null) {
      peer.sending(true);
      if (room != null && kept > 0) {
        room.kept().begin(arrival);
      }
    }
  }

  private void end(@Nullable ConnectedPeer peer, BodyRoom.Arrival arrival) {
    if (peer != null) {
      peer.sending(false);
      if (room != null) {
        room.kept().end(arrival);
      }
    }
  }

  private byte[] read(InputStream in, int expected, BodyRoom.Arrival arrival) throws IOException {
    var content = new ByteArrayOutputStream(expected);
    var part = new byte[PART];
    long begin = System.nanoTime();
    for (int count = in.read(part); count >= 0; count = in.read(part)) {
      content.write(part, 0, count);
      arrival.progressed();
      if (content.size() > largestBody) {
        throw tooLarge();
      }
      if (isDripping(content.size(), System.nanoTime() - begin)) {
        throw tooSlow();
      }
    }
    return content.toByteArray();
  }

  /**
   * A peer that still writes gets the answer only if the server reads: closing resets the
   * connection, and the answer is lost. Does not read if far more is announced: it may never come.
   */
  private static void discard(HttpServletRequest request, long length) {
    if (length > MOST_DISCARDED) {
      return;
    }
    var part = new byte[PART];
    long begin = System.nanoTime();
    try {
      InputStream in = request.getInputStream();
      int count = 0;
      while (count >= 0 && System.nanoTime() - begin < GRACE.toNanos()) {
        count = in.read(part); // a client that takes longer only holds a connection
      }
    } catch (IOException e) {
      log.debug("the caller of a request that is too large has disconnected", e);
    }
  }

  /** A body this slow only serves to hold a connection. */
  private static boolean isDripping(int bytes, long nanos) {
    return nanos > GRACE.toNanos() && bytes < nanos / 1_000_000_000.0 * SLOWEST_BYTES_PER_SECOND;
  }

  private static Problem tooSlow() {
    return Problem.of("timeout", 408, "the body did not arrive completely")
        .header("Connection", "close");
  }

  private Problem tooLarge() {
    return Problem.tooLarge("body: expected at most %,d bytes".formatted(largestBody));
  }
}
