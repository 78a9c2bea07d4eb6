/** For people who decide about effects and account for them: the review desk, and receipts. */
@NullMarked
package dev.hapax.app.desk;

import org.jspecify.annotations.NullMarked;
