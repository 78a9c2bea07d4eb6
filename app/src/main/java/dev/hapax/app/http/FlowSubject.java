package dev.hapax.app.http;

import dev.hapax.flow.NotFound;
import org.jspecify.annotations.Nullable;

/**
 * The flow that a call of a route is about. A token that is limited to flows is checked against it
 * before the handler is called; this is the only place that does so for single things. Such a token
 * gets the same 404 for another flow as for something that does not exist.
 */
public sealed interface FlowSubject {
  /** Not declared: a limited token cannot call the route at all. */
  FlowSubject UNDECLARED = new Undeclared();

  /** Shared by all flows of the tenant: only the scope decides. */
  FlowSubject SHARED = new Shared();

  /** A list: its handler leaves out what {@link Call#mayUse} refuses. */
  FlowSubject LISTED = new Shared();

  /** The flow is the parameter {@code flow} of the path. */
  FlowSubject IN_PATH = new Owner("flow", "flow", call -> call.path("flow"));

  /**
   * The flow of the path, which may not exist yet. Its file says which labels it has, so the
   * handler decides about a token that is limited to labels.
   */
  FlowSubject WRITTEN = new Written();

  /**
   * Something that belongs to a flow.
   *
   * @param what for example {@code run}
   * @param parameter of the path, which identifies it
   * @param finder finds its flow
   */
  static FlowSubject of(String what, String parameter, Finder finder) {
    return new Owner(what, parameter, finder);
  }

  /** Finds the flow of the thing that a call is about. */
  @FunctionalInterface
  interface Finder {
    /** Returns null if there is no such thing; may throw that there is none, too. */
    @Nullable String flowOf(Call call);
  }

  /** Refuses a call about a flow that the caller may not use. */
  void refuseOthers(Call call);

  /** See {@link #UNDECLARED}. */
  record Undeclared() implements FlowSubject {
    @Override
    public void refuseOthers(Call call) {
      throw Problem.forbidden(
          "the token of '%s' is limited to flows (%s), and this call is about the whole tenant. Use a token without this limit"
              .formatted(call.actor().name(), call.actor().flows()));
    }
  }

  /** See {@link #SHARED} and {@link #LISTED}. */
  record Shared() implements FlowSubject {
    @Override
    public void refuseOthers(Call call) {
      // nothing of one flow is named
    }
  }

  /** See {@link #WRITTEN}. */
  record Written() implements FlowSubject {
    @Override
    public void refuseOthers(Call call) {
      if (call.actor().flows().labels().isEmpty()) {
        IN_PATH.refuseOthers(call);
      }
    }
  }

  /** See {@link #of}. */
  record Owner(String what, String parameter, Finder finder) implements FlowSubject {
    @Override
    public void refuseOthers(Call call) {
      String flow = flowOf(call);
      if (flow == null || !call.mayUse(flow)) {
        throw Problem.notFound(
            "there is no %s '%s' among the flows of this token (%s)"
                .formatted(what, call.path(parameter), call.actor().flows()));
      }
    }

    private @Nullable String flowOf(Call call) {
      try {
        return finder.flowOf(call);
      } catch (NotFound | IllegalArgumentException e) {
        return null;
      } catch (Problem e) {
        if (e.status() == 404) {
          return null;
        }
        throw e;
      }
    }
  }
}
