package dev.hapax.flow;

import java.util.List;

/**
 * Reviews by their cause, the most frequent cause first.
 *
 * @param complete false if there are more reviews or causes than were counted
 */
public record ReviewGroups(List<ReviewGroup> groups, boolean complete) {
  public ReviewGroups {
    groups = List.copyOf(groups);
  }
}
