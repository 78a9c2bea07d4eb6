package dev.hapax.flow;

/**
 * What a tenant uses of this process now.
 *
 * @param runsInMemory counted only if the engine has {@link TenantLimits}
 * @param calls effects and reads under way; counted only if the tenant has a limit for them
 */
public record TenantLoad(int runsInMemory, int calls) {}
