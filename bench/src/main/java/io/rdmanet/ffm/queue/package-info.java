/// jcstress tests of the FFM provider: one for each release/acquire pair of its accounts, and one
/// for each place where two threads write one field and read another's.
///
/// Each says what would break without the pair. On x86 only
/// [io.rdmanet.ffm.queue.ExecutionGuardStress] and [io.rdmanet.ffm.queue.ResourceUseStress] fail on
/// the processor's account; the others can fail there by what the compiler does, and on ARM by
/// both.
package io.rdmanet.ffm.queue;
