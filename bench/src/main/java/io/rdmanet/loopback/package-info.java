/// jcstress tests of the loopback device: one for each release/acquire pair of its rings and words,
/// and one for each place where two threads write one word and read another's.
///
/// Each says what would break without the pair. They use the device's own classes where these can
/// be made in thousands, in the device's package, since its classes are not public; `bench` runs on
/// the class path. On x86 only the tests of the second kind ([io.rdmanet.loopback.FlushStress],
/// [io.rdmanet.loopback.ArmedStress], [io.rdmanet.loopback.NotificationStress],
/// [io.rdmanet.loopback.AsleepStress], [io.rdmanet.loopback.PostedInErrorStress],
/// [io.rdmanet.loopback.DatagramFlushStress]) fail on the processor's account; the others can fail
/// there by what the compiler does, and on ARM by both.
package io.rdmanet.loopback;
