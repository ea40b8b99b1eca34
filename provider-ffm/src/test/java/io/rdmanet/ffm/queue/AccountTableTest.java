package io.rdmanet.ffm.queue;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class AccountTableTest {
    private final AccountTable table = new AccountTable();

    private OrderedAccount added() throws Exception {
        OrderedAccount account = new OrderedAccount(new FakeOwner("queue"), 1);
        table.add(account);
        return account;
    }

    @Test
    void findsAccountsByTheirNumbers() throws Exception {
        List<OrderedAccount> accounts = new ArrayList<>();
        for (int i = 0; i < 1000; i++) {
            accounts.add(added());
        }

        for (OrderedAccount account : accounts) {
            assertThat(table.find(account.number())).isSameAs(account);
        }
        assertThat(table.find(accounts.getLast().number() + 1)).isNull();
        assertThat(table.find(-1)).isNull();
    }

    @Test
    void neverTakesOneForItsPredecessor() throws Exception {
        for (int i = 0; i < 10_000; i++) {
            OrderedAccount old = added();
            int number = old.number();
            table.remove(old);
            assertThat(old.isRetired()).isTrue();
            OrderedAccount next = added();

            assertThat(next.number()).isNotEqualTo(number);
            assertThat(table.find(number)).isNull();
            table.remove(next);
        }
    }

    @Test
    void removesOnce() throws Exception {
        OrderedAccount first = added();
        table.remove(first);
        table.remove(first);

        OrderedAccount second = added();
        assertThat(table.find(second.number())).isSameAs(second);
    }
}
