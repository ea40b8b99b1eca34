package io.rdmanet.bench.run;

import io.rdmanet.bench.run.Pair.Answer;
import java.io.IOException;
import java.util.List;

/// The copy limit: one thread's `MemorySegment.copy` over the working set of the raw tier.
final class CopySubject implements Subject {
    static final String LABEL = "copy";

    private final List<Integer> sizes;
    private final int slices;
    private final Pair pair = new Pair(LABEL);

    CopySubject(List<Integer> sizes, int slices) {
        this.slices = slices;
        this.sizes = sizes;
    }

    @Override
    public String label() {
        return LABEL;
    }

    @Override
    public List<Integer> sizes() {
        return sizes;
    }

    @Override
    public Unit unit() {
        return Unit.MESSAGES_PER_SECOND;
    }

    @Override
    public Verdict gate(int size) throws IOException {
        Answer answer = pair.askClient("COPY_GATE", size);
        return new Verdict(answer.number(1), answer.number(1), answer.number(2));
    }

    @Override
    public Sample measure(int size, long nanos, boolean isRehearsal) throws IOException {
        return Sample.of(pair.askClient("COPY", size, nanos, slices).real(2));
    }

    @Override
    public void reset() {
        pair.close();
    }
}
