package io.rdmanet.internal.provider;

import static org.assertj.core.api.Assertions.assertThat;

import io.rdmanet.verbs.VerbsException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class AccountTableTest {
    private static final class SomeAccount extends Account {}

    private final AccountTable<SomeAccount> table = new AccountTable<>();

    private SomeAccount added() throws VerbsException {
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
}
