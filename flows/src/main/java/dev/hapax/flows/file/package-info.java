/** Flow files: YAML to records with line and column, their JSON Schema, and their problems. */
@NullMarked
package dev.hapax.flows.file;

import org.jspecify.annotations.NullMarked;
