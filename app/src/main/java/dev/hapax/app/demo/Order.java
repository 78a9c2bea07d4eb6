package dev.hapax.app.demo;

/** An order of the shop, perhaps delivered several times. */
record Order(String orderId, String customerId, String email, long total) {}
