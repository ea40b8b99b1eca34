package io.rdmanet.internal.provider;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rdmanet.verbs.ErrorNumber;
import io.rdmanet.verbs.VerbsException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AccountTableTest {
    private static final class SomeAccount extends Account {}

    private final AccountTable<SomeAccount> table = new AccountTable<>();

    private SomeAccount added() throws VerbsException {
        return addedTo(table);
    }

    private static SomeAccount addedTo(AccountTable<SomeAccount> table) throws VerbsException {
        SomeAccount account = new SomeAccount();
        table.add(account);
        return account;
    }

    @Test
    void findsAccountsByTheirNumbers() throws Exception {
        List<SomeAccount> accounts = new ArrayList<>();
        for (int i = 0; i < 1000; i++) {
            accounts.add(added());
        }

        for (SomeAccount account : accounts) {
            assertThat(table.find(account.number())).isSameAs(account);
        }
        assertThat(table.find(accounts.getLast().number() + 1)).isNull();
        assertThat(table.find(-1)).isNull();
    }

    @Test
    void neverTakesOneForItsPredecessor() throws Exception {
        for (int i = 0; i < 10_000; i++) {
            SomeAccount old = added();
            int number = old.number();
            table.remove(old);
            assertThat(old.isRetired()).isTrue();
            SomeAccount next = added();

            assertThat(next.number()).isNotEqualTo(number);
            assertThat(table.find(number)).isNull();
            table.remove(next);
        }
    }

    @Test
    void removesOnce() throws Exception {
        SomeAccount first = added();
        table.remove(first);
        table.remove(first);

        SomeAccount second = added();
        assertThat(table.find(second.number())).isSameAs(second);
    }

    /// The capacity of those that fill it: below, at and above what it begins with.
    @ParameterizedTest
    @ValueSource(ints = {1, 32, 64, 128})
    void givesTheLastNumberAndThenSaysWhatToClose(int capacity) throws Exception {
        AccountTable<SomeAccount> small = new AccountTable<>(capacity);
        List<SomeAccount> accounts = filled(small, capacity);

        for (int attempt = 0; attempt < 2; attempt++) {
            assertThatThrownBy(() -> small.add(new SomeAccount()))
                    .isInstanceOfSatisfying(
                            VerbsException.class,
                            e -> assertThat(e.errno()).isEqualTo(ErrorNumber.ENOMEM))
                    .hasMessageContaining("create_qp")
                    .hasMessageContaining("the device has " + capacity + " work queues open")
                    .hasMessageContaining("close queue pairs first");
        }

        assertThat(accounts.getLast().number()).isEqualTo(capacity - 1);
        for (SomeAccount account : accounts) {
            assertThat(small.find(account.number())).isSameAs(account);
            assertThat(account.isRetired()).isFalse();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 126, 127})
    void givesThePlaceAgainThatWasGivenBack(int place) throws Exception {
        AccountTable<SomeAccount> small = new AccountTable<>(128);
        List<SomeAccount> accounts = filled(small, 128);
        SomeAccount old = accounts.get(place);

        small.remove(old);
        SomeAccount next = addedTo(small);

        assertThat(small.find(next.number())).isSameAs(next);
        assertThat(next.number()).isNotEqualTo(old.number());
        assertThat(small.find(old.number())).isNull();
        assertThatThrownBy(() -> small.add(new SomeAccount())).isInstanceOf(VerbsException.class);
        small.remove(old); // late, and no longer its place
        assertThat(small.find(next.number())).isSameAs(next);
    }

    private static List<SomeAccount> filled(AccountTable<SomeAccount> table, int capacity)
            throws VerbsException {
        List<SomeAccount> accounts = new ArrayList<>();
        for (int i = 0; i < capacity; i++) {
            accounts.add(addedTo(table));
        }
        return accounts;
    }
}
