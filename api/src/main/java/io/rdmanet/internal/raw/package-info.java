/// The raw tier: verbs with nothing in between.
///
/// Reading order: [io.rdmanet.internal.raw.RawConnection] (opening and closing),
/// [io.rdmanet.internal.raw.RawGreeting] (what the ends tell each other before the first message),
/// [io.rdmanet.internal.raw.RawSender] and [io.rdmanet.internal.raw.RawDrainer] (the two loops),
/// [io.rdmanet.internal.raw.IdleWatch] (what they do when nothing happens),
/// [io.rdmanet.internal.raw.RawProbe] (where their time goes, for who asks).
package io.rdmanet.internal.raw;
