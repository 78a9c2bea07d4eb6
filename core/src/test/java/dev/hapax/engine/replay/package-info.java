@org.jspecify.annotations.NullMarked
package dev.hapax.engine.replay;
