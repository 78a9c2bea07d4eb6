/** The base of every verb: the command, its options and its inputs. */
@NullMarked
package dev.hapax.app.cli.verb;

import org.jspecify.annotations.NullMarked;
