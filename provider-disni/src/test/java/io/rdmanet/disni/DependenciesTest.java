package io.rdmanet.disni;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.File;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// DiSNI 2.1 brings log4j 1.x with it, which nobody maintains and attackers know. It goes no
/// further than its descriptor.
class DependenciesTest {
    private static final List<String> JARS =
            Arrays.stream(System.getProperty("java.class.path", "").split(File.pathSeparator, -1))
                    .map(entry -> new File(entry).getName())
                    .toList();

    @Test
    void hasDisniAndItsLogger() {
        assertThat(JARS)
                .anyMatch(jar -> jar.startsWith("disni-2.1"))
                .anyMatch(jar -> jar.startsWith("slf4j-api-2."));
    }

    @ParameterizedTest
    @ValueSource(strings = {"log4j", "slf4j-log4j12", "slf4j-reload4j", "commons-cli"})
    void hasNoJarOf(String artifact) {
        assertThat(JARS).noneMatch(jar -> jar.startsWith(artifact));
    }

    @ParameterizedTest
    @ValueSource(strings = {"org.apache.log4j.Logger", "org.slf4j.impl.Log4jLoggerAdapter"})
    void hasNoClassOf(String name) {
        assertThatThrownBy(() -> Class.forName(name)).isInstanceOf(ClassNotFoundException.class);
    }
}
