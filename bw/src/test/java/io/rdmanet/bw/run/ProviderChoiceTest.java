package io.rdmanet.bw.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rdmanet.bw.run.ComparisonResult.LeftOut;
import io.rdmanet.verbs.VerbsProvider;
import java.util.List;
import org.junit.jupiter.api.Test;

class ProviderChoiceTest {
    private final List<VerbsProvider> installed =
            List.of(
                    FakeProvider.usable("good"),
                    FakeProvider.unusable("bad", "no library"),
                    FakeProvider.withoutDevice("empty"));

    @Test
    void leavesOutWhatIsNotUsableAndSaysWhy() {
        ProviderChoice choice = ProviderChoice.of(installed, List.of());

        assertThat(choice.usable()).extracting(VerbsProvider::name).containsExactly("good");
        assertThat(choice.leftOut())
                .containsExactly(
                        new LeftOut("bad", "no library"), new LeftOut("empty", "no device"));
    }

    @Test
    void leavesOutAlsoWhatWasAskedForByName() {
        ProviderChoice choice = ProviderChoice.of(installed, List.of("bad"));

        assertThat(choice.usable()).isEmpty();
        assertThat(choice.leftOut()).containsExactly(new LeftOut("bad", "no library"));
    }

    @Test
    void takesThemInTheOrderOfTheirNames() {
        List<VerbsProvider> two = List.of(FakeProvider.usable("one"), FakeProvider.usable("two"));

        assertThat(ProviderChoice.of(two, List.of("two", "one")).usable())
                .extracting(VerbsProvider::name)
                .containsExactly("two", "one");
    }

    @Test
    void refusesANameThatNobodyHas() {
        assertThatThrownBy(() -> ProviderChoice.of(installed, List.of("good", "nobody")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("there is no provider nobody; there are: good, bad, empty");
    }

    @Test
    void goesThroughTheLoopbackAddressWhenTheProviderTellsNone() {
        assertThat(ProviderChoice.addressOf(installed.getFirst(), installed))
                .isEqualTo("127.0.0.1");
    }
}
