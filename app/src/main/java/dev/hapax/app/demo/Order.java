package dev.hapax.app.demo;

/** What the shop delivers, perhaps several times. */
record Order(String id, String email, long cents) {}
