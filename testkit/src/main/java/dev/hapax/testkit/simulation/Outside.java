package dev.hapax.testkit.simulation;

import dev.hapax.store.Store;

/** The parts that the parties outside use. */
record Outside(
    SimulatedStore.Simulated with, Machines machines, UnreliableWorld world, Store durable) {}
