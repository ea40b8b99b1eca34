package io.rdmanet.bw.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class StatisticsTest {
    @Test
    void takesTheMiddleOfAnOddNumber() {
        assertThat(Statistics.of(5, 1, 3)).isEqualTo(new Statistics(3, 1, 5));
    }

    @Test
    void takesTheLowerMiddleOfAnEvenNumberSinceThatWasMeasured() {
        assertThat(Statistics.of(4, 1, 3, 2)).isEqualTo(new Statistics(2, 1, 4));
    }

    @Test
    void takesTheOnlyOne() {
        assertThat(Statistics.of(7)).isEqualTo(new Statistics(7, 7, 7));
    }

    @Test
    void findsTheItemOfTheMedian() {
        assertThat(Statistics.medianItem(List.of("ccc", "a", "bb"), String::length))
                .isEqualTo("bb");
    }

    @Test
    void leavesTheFiguresInTheirOrder() {
        double[] figures = {3, 1, 2};
        Statistics.of(figures);
        assertThat(figures).containsExactly(3, 1, 2);
    }

    @Test
    void refusesNothing() {
        assertThatThrownBy(Statistics::of).isInstanceOf(IllegalArgumentException.class);
    }
}
