package io.rdmanet.loopback;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import org.junit.jupiter.api.Test;

class ChildCountTest {
    private final ChildCount children = new ChildCount();

    @Test
    void refusesWhileThereAreChildren() {
        children.add();
        children.add();
        children.remove();

        assertThatIllegalStateException()
                .isThrownBy(() -> children.requireNone("the domain has open regions"))
                .withMessage("the domain has open regions: 1; close them first");
    }

    @Test
    void allowsWithoutChildren() {
        assertThatCode(() -> children.requireNone("x")).doesNotThrowAnyException();
        children.add();
        children.remove();
        assertThatCode(() -> children.requireNone("x")).doesNotThrowAnyException();
    }
}
