package io.rdmanet.bench.run;

import io.rdmanet.bench.run.Pair.Answer;
import java.io.IOException;
import java.util.List;

/// The copy limit: one thread's `MemorySegment.copy` over the working set of the raw tier.
final class CopySubject implements Subject {
    static final String LABEL = "copy";
    private static final double NANOS_PER_SECOND = 1e9;

    private final List<Integer> sizes;
    private final Pair pair = new Pair(LABEL);

    CopySubject(List<Integer> sizes) {
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
        Answer answer = pair.askClient("COPY", size, nanos);
        return Sample.of(answer.number(1) * NANOS_PER_SECOND / answer.number(2));
    }

    @Override
    public void reset() {
        pair.close();
    }
}
