package dev.hapax.app.demo;

/** What the shop delivers, perhaps several times. */
record Order(String orderId, String customerId, String email, long total) {}
