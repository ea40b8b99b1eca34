/// C as Java: one class per shared library with the functions we use under their C names, and one
/// descriptor per struct with its offsets. Nothing here decides anything.
///
/// A function that fails the C way (returns -1 or NULL and sets `errno`) returns the negative error
/// number here, as the kernel's own functions do: see [io.rdmanet.ffm.c.Result]. Functions that
/// return an error number themselves are left alone.
///
/// Begin with [io.rdmanet.ffm.c.SharedLibrary]; then [io.rdmanet.ffm.c.Libibverbs] and
/// [io.rdmanet.ffm.c.Librdmacm] for control, [io.rdmanet.ffm.c.VerbsOperations] for the data path.
/// Structs are reached by address through [io.rdmanet.ffm.c.NativeMemory]. Tests compare every
/// size, offset and number with the C headers of the machine they run on.
package io.rdmanet.ffm.c;
