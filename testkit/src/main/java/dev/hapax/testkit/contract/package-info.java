/**
 * The contract of every store, a class per topic; a store's own tests extend them with nothing but
 * {@code open()}.
 */
@NullMarked
package dev.hapax.testkit.contract;

import org.jspecify.annotations.NullMarked;
