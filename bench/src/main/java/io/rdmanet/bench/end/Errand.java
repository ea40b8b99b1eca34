package io.rdmanet.bench.end;

import java.util.List;

/// Something that an end is told to do. Carried out on the end's main thread, one after another.
@FunctionalInterface
interface Errand {
    /// Does it.
    ///
    /// @param words the arguments
    /// @return the answer's fields
    /// @throws Exception whatever went wrong; the other process is told its message
    List<Object> carryOut(Words words) throws Exception;
}
