/**
 * Flow files: YAML to records with line and column, their JSON Schema, and what is wrong with them.
 */
@NullMarked
package dev.hapax.flows.file;

import org.jspecify.annotations.NullMarked;
