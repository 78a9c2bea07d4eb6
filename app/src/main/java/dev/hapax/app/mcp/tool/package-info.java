/** The tools that agents call over MCP, one class each. */
@NullMarked
package dev.hapax.app.mcp.tool;

import org.jspecify.annotations.NullMarked;
