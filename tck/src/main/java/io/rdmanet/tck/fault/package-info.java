/// Faults on order: decorators around a provider and everything made from it.
///
/// A test makes a [io.rdmanet.tck.fault.FaultPlan], wraps a provider into a
/// [io.rdmanet.tck.fault.FaultyProvider] with it, and orders faults by calling the plan's methods,
/// at any time and from any thread. Every fault is counted, none is random. The plan also counts
/// what is opened and closed, so that a test sees what leaks.
///
/// For code that chooses its provider by name, [io.rdmanet.tck.fault.FaultInjection] makes the
/// faulty provider available to the ServiceLoader as `faulty`.
package io.rdmanet.tck.fault;
