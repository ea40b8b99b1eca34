/// The program behind `bench/run`: [io.rdmanet.bench.command.Main].
@NullMarked
package io.rdmanet.bench.command;

import org.jspecify.annotations.NullMarked;
