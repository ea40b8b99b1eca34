package io.rdmanet.internal.provider;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class ChildCountTest {
    private final ChildCount children = new ChildCount("the protection domain");

    @Test
    void closesOnceWithoutChildren() {
        assertThat(children.close("queue pairs")).isTrue();
        assertThat(children.close("queue pairs")).isFalse();
        assertThat(children.isClosed()).isTrue();
    }

    @Test
    void refusesToCloseBeforeItsChildren() {
        children.add("create_qp");
        children.add("create_qp");

        assertThatThrownBy(() -> children.close("queue pairs"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("the protection domain has open queue pairs: 2");

        children.remove();
        children.remove();
        assertThat(children.close("queue pairs")).isTrue();
    }

    @Test
    void refusesChildrenOnceItIsClosed() {
        children.close("queue pairs");

        assertThatThrownBy(() -> children.add("create_qp"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("create_qp: the protection domain is closed");
    }
}
