package io.rdmanet.bw;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.type;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Linker;
import java.lang.foreign.SymbolLookup;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The arrows between our packages: every one points at `api`. Read from the classes of all
/// modules, which are built before this one because it depends on each provider.
class ArchitectureTest {
    private static final String SHARED_BY_PROVIDERS = "io.rdmanet.internal.provider..";

    /// Main classes of every module, found by folder: the class path of a test in `bw` does not
    /// lead to all of them, and new modules are to be covered without a change here.
    private static final JavaClasses MAIN_CLASSES = importMainClasses();

    private static JavaClasses importMainClasses() {
        Path root = Path.of(System.getProperty("basedir", "")).toAbsolutePath().resolve("..");
        try (var modules = Files.newDirectoryStream(root)) {
            List<Path> folders = new ArrayList<>();
            for (Path module : modules) {
                Path folder = module.resolve("target/classes");
                // bench lives in the packages that it measures, so as to reach their insides.
                if (Files.isDirectory(folder) && !module.endsWith("bench")) {
                    folders.add(folder);
                }
            }
            return new ClassFileImporter().importPaths(folders);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "io.rdmanet.verbs",
                "io.rdmanet.loopback",
                "io.rdmanet.ffm",
                "io.rdmanet.disni",
                "io.rdmanet.tck",
                "io.rdmanet.bw.command"
            })
    void looksAtTheClassesOfEveryModule(String packageName) {
        assertThat(MAIN_CLASSES).anyMatch(type -> type.getPackageName().equals(packageName));
    }

    @Test
    void apiDependsOnlyOnTheJdkAndJspecify() {
        classes()
                .that(
                        resideInAnyPackage(
                                "io.rdmanet", "io.rdmanet.verbs..", "io.rdmanet.internal.."))
                .should()
                .onlyDependOnClassesThat(
                        resideInAnyPackage(
                                "io.rdmanet",
                                "io.rdmanet.verbs..",
                                "io.rdmanet.internal..",
                                "java..",
                                "javax..",
                                "jdk.jfr..",
                                "org.jspecify.."))
                .check(MAIN_CLASSES);
    }

    @Test
    void verbsKnowNeitherTheFrontDoorNorItsInsides() {
        noClasses()
                .that(resideInAPackage("io.rdmanet.verbs.."))
                .should()
                .dependOnClassesThat(resideInAnyPackage("io.rdmanet", "io.rdmanet.internal.."))
                .check(MAIN_CLASSES);
    }

    @Test
    void whatProvidersShareKnowsOnlyTheVerbs() {
        classes()
                .that(resideInAPackage(SHARED_BY_PROVIDERS))
                .should()
                .onlyDependOnClassesThat(
                        resideInAnyPackage(
                                SHARED_BY_PROVIDERS,
                                "io.rdmanet.verbs..",
                                "java..",
                                "org.jspecify.."))
                .check(MAIN_CLASSES);
    }

    /// The module system keeps what providers share from those it is not exported to.
    @ParameterizedTest
    @ValueSource(strings = {"loopback", "ffm", "disni"})
    void providersKnowOnlyTheVerbsAndWhatTheyShare(String provider) {
        String own = "io.rdmanet." + provider + "..";
        noClasses()
                .that(resideInAPackage(own))
                .should()
                .dependOnClassesThat(
                        resideInAPackage("io.rdmanet..")
                                .and(
                                        not(
                                                resideInAnyPackage(
                                                        "io.rdmanet.verbs..",
                                                        SHARED_BY_PROVIDERS,
                                                        own))))
                .allowEmptyShould(true)
                .check(MAIN_CLASSES);
    }

    @Test
    void onlyTheCommandPackageKnowsPicocli() {
        noClasses()
                .that(not(resideInAPackage("io.rdmanet.bw.command..")))
                .should()
                .dependOnClassesThat(resideInAPackage("picocli.."))
                .check(MAIN_CLASSES);
    }

    @Test
    void onlyTheDisniProviderKnowsDisni() {
        noClasses()
                .that(not(resideInAPackage("io.rdmanet.disni..")))
                .should()
                .dependOnClassesThat(resideInAPackage("com.ibm.."))
                .check(MAIN_CLASSES);
    }

    @Test
    void theToolNamesNoProviderAndNoTestKit() {
        noClasses()
                .that(resideInAPackage("io.rdmanet.bw.."))
                .should()
                .dependOnClassesThat(
                        resideInAnyPackage(
                                "io.rdmanet.loopback..",
                                "io.rdmanet.ffm..",
                                "io.rdmanet.disni..",
                                "io.rdmanet.tck..",
                                "io.rdmanet.internal.."))
                .check(MAIN_CLASSES);
    }

    @Test
    void onlyTheFfmProviderLinksNativeCode() {
        noClasses()
                .that(not(resideInAPackage("io.rdmanet.ffm..")))
                .should()
                .dependOnClassesThat(type(Linker.class).or(type(SymbolLookup.class)))
                .check(MAIN_CLASSES);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "io.rdmanet.internal.(*)..",
                "io.rdmanet.loopback.(*)..",
                "io.rdmanet.ffm.(*)..",
                "io.rdmanet.bw.(*).."
            })
    void packagesFormNoCircles(String packages) {
        slices().matching(packages).should().beFreeOfCycles().check(MAIN_CLASSES);
    }
}
