package dev.hapax.flow;

/**
 * Thrown if a resource does not exist: it was never stored, or nothing referred to it for too long.
 */
public final class ResourceNotFound extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public ResourceNotFound(String ref) {
    super(
        "there is no resource %s: it was never put here, or nothing referred to it any more and it was collected"
            .formatted(ref));
  }
}
