/** Classes that take the place of the library's own. */
@NullMarked
package org.apache.kafka.clients;

import org.jspecify.annotations.NullMarked;
