package dev.hapax.flows.queue;

import dev.hapax.flows.connection.BrokerWay;
import dev.hapax.flows.connection.WayOut;
import dev.hapax.time.Ports;

/**
 * What brokers need.
 *
 * @param network for brokers that are reached by HTTP or SQL
 * @param way for the clients of the others
 */
public record BrokerServices(WayOut network, BrokerWay way, Ports ports) {}
