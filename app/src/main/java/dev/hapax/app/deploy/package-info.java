/** Deployments: a folder of flows and connections that becomes live in one commit. */
@NullMarked
package dev.hapax.app.deploy;

import org.jspecify.annotations.NullMarked;
