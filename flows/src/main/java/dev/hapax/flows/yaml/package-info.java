/** YAML to fields with line and column, by declared shapes. */
@NullMarked
package dev.hapax.flows.yaml;

import org.jspecify.annotations.NullMarked;
