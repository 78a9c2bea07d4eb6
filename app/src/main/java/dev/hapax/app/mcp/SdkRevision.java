package dev.hapax.app.mcp;

import dev.hapax.app.http.Call;
import dev.hapax.app.http.RouteAnswer;
import dev.hapax.app.mcp.tool.AgentTool;
import dev.hapax.app.mcp.tool.ToolBox;
import io.modelcontextprotocol.common.McpTransportContext;
import io.modelcontextprotocol.json.McpJsonDefaults;
import io.modelcontextprotocol.json.McpJsonMapper;
import io.modelcontextprotocol.server.McpServer;
import io.modelcontextprotocol.server.McpStatelessServerFeatures.SyncToolSpecification;
import io.modelcontextprotocol.server.McpStatelessServerHandler;
import io.modelcontextprotocol.spec.McpSchema;
import io.modelcontextprotocol.spec.McpStatelessServerTransport;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import tools.jackson.databind.JsonNode;

/**
 * Revision 2025-11-25 and those before it, spoken by the official SDK. The SDK's server without
 * sessions is used, so that any node answers any request, also after a restart; our own routes
 * carry it. It is made for each request, because each caller sees other tools.
 */
final class SdkRevision {
  /** Newest first. Not 2025-03-26: it demands batches, and its clients speak a later one, too. */
  static final List<String> VERSIONS = List.of("2025-11-25", "2025-06-18");

  private static final String LIST = "tools/list";
  private static final String CALL = "tools/call";
  private static final int MOST_PARTS = 50;

  private final ToolCalls calls;
  private final ServerCard card;
  private final McpJsonMapper mapper = McpJsonDefaults.getMapper();

  SdkRevision(ToolCalls calls, ServerCard card) {
    this.calls = calls;
    this.card = card;
  }

  RouteAnswer answer(Call call, McpMessage message) {
    JsonNode id = message.id();
    if (id == null) {
      return RouteAnswer.noContent().status(202);
    }
    var transport = new SdkTransport();
    var _ =
        McpServer.sync(transport)
            .serverInfo("hapax", card.version())
            .instructions(ServerCard.INSTRUCTIONS)
            .capabilities(McpSchema.ServerCapabilities.builder().tools(false).build())
            .jsonMapper(mapper)
            .validateToolInputs(false) // the tools do, and say what to do
            .strictToolNameValidation(false)
            .immediateExecution(true)
            .tools(tools(call, message))
            .build();
    McpSchema.JSONRPCResponse response = transport.ask(request(message, id));
    return RouteAnswer.bytes(written(response), "application/json");
  }

  private McpSchema.JSONRPCRequest request(McpMessage message, JsonNode id) {
    Object plain = id.isString() ? id.stringValue() : id.numberValue();
    Object params = mapper.convertValue(message.params(), Map.class);
    return new McpSchema.JSONRPCRequest("2.0", message.method(), plain, params);
  }

  private byte[] written(McpSchema.JSONRPCResponse response) {
    try {
      return mapper.writeValueAsBytes(response);
    } catch (IOException e) {
      throw new IllegalStateException("the SDK cannot write its own answer", e);
    }
  }

  /** Only those that the message is about. */
  private List<SyncToolSpecification> tools(Call call, McpMessage message) {
    return switch (message.method()) {
      case LIST -> all(call).stream().map(tool -> specification(tool, call, message)).toList();
      case CALL -> {
        AgentTool named = calls.named(call, message);
        yield named == null ? List.of() : List.of(specification(named, call, message));
      }
      default -> List.of();
    };
  }

  /** The SDK's server lists all at once. */
  private List<AgentTool> all(Call call) {
    var all = new ArrayList<AgentTool>();
    String cursor = null;
    for (int i = 0; i < MOST_PARTS; i++) {
      ToolBox.Part part = calls.tools().list(call, cursor);
      all.addAll(part.tools());
      cursor = part.next();
      if (cursor == null) {
        break;
      }
    }
    return all;
  }

  private SyncToolSpecification specification(AgentTool tool, Call call, McpMessage message) {
    Map<String, Object> json = new LinkedHashMap<>(tool.json());
    var declared = mapper.convertValue(json, McpSchema.Tool.class);
    return new SyncToolSpecification(
        declared,
        (_, _) -> {
          try {
            Map<String, Object> result = calls.call(tool, call, message).json();
            return mapper.convertValue(result, McpSchema.CallToolResult.class);
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("the server is about to stop: call again soon", e);
          }
        });
  }

  /** Hands a message to the SDK, and its answer back. */
  private static final class SdkTransport implements McpStatelessServerTransport {
    private @Nullable McpStatelessServerHandler handler;

    @Override
    public void setMcpHandler(McpStatelessServerHandler given) {
      handler = given;
    }

    McpSchema.JSONRPCResponse ask(McpSchema.JSONRPCRequest request) {
      McpStatelessServerHandler known = Objects.requireNonNull(handler);
      return Objects.requireNonNull(
          known.handleRequest(McpTransportContext.EMPTY, request).block());
    }

    /** The SDK suggests the last one to a client that asks for another. */
    @Override
    public List<String> protocolVersions() {
      return VERSIONS.reversed();
    }

    @Override
    public Mono<Void> closeGracefully() {
      return Mono.empty();
    }
  }
}
