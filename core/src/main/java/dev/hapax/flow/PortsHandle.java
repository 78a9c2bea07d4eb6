package dev.hapax.flow;

/**
 * The clock, the random source and the threads of an engine. The only implementation is {@code
 * dev.hapax.time.Ports}; simulations and tests replace its parts.
 */
public interface PortsHandle {}
