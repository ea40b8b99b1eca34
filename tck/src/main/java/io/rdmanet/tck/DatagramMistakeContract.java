package io.rdmanet.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rdmanet.verbs.AddressHandle;
import io.rdmanet.verbs.AddressVector;
import io.rdmanet.verbs.Capability;
import io.rdmanet.verbs.Context;
import io.rdmanet.verbs.PostSend;
import io.rdmanet.verbs.ProtectionDomain;
import io.rdmanet.verbs.SendFlags;
import io.rdmanet.verbs.SendOpcode;
import io.rdmanet.verbs.SendShape;
import io.rdmanet.verbs.VerbsException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// What datagrams cannot do is refused before anything is posted; and who outlives an address
/// handle.
public abstract class DatagramMistakeContract extends VerbsContract {
    private static final int SLOT = 64;

    @BeforeEach
    final void requireCapability() {
        assume(Capability.UNRELIABLE_DATAGRAM, Capability.QUEUE_PAIR_MODIFY, Capability.GID_CHOICE);
    }

    private DatagramEnd open() throws Exception {
        return closing(DatagramEnd.open(openContext(), PairOptions.defaults(), patience()));
    }

    @ParameterizedTest
    @EnumSource(
            value = SendOpcode.class,
            names = {"SEND", "SEND_WITH_IMMEDIATE"},
            mode = EnumSource.Mode.EXCLUDE)
    void oneSidedOperationsAreRefusedWhenPrepared(SendOpcode opcode) throws Exception {
        DatagramEnd end = open();

        assertThatThrownBy(() -> end.prepareSend(opcode, 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(opcode.name());
    }

    @Test
    void aRequestWithoutAReceiverIsRefused() throws Exception {
        DatagramEnd end = open();
        PostSend send = end.end().prepareSend(new SendShape(SendOpcode.SEND, 0), 2);
        end.address(send.request(0).flags(SendFlags.SIGNALED), end);

        assertThatThrownBy(() -> send.execute(0, 2))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("1");

        end.sends().assertSilentFor(quiet());
        assertThat(send.execute(0, 1)).isEqualTo(1);
        end.sends().takeSuccesses(1);
    }

    @Test
    void aConnectedQueuePairNamesNoReceiver() throws Exception {
        DatagramEnd end = open();
        ConnectedPair pair = connect();
        PostSend send = pair.left().prepareSend(SendOpcode.SEND, 1);
        AddressHandle handle = end.handleTo(end.gid());

        assertThatThrownBy(() -> send.datagram(handle, 1, 1))
                .isInstanceOf(IllegalStateException.class);
    }

    @Test
    void aHandleOfAnotherDomainIsRefused() throws Exception {
        DatagramEnd end = open();
        ProtectionDomain other = closing(end.context().allocateProtectionDomain());
        AddressVector address = Path.toItself(end.context()).vector();
        AddressHandle foreign = closing(other.createAddressHandle(address));
        PostSend send = end.prepareSend(SendOpcode.SEND, 1);

        assertThatThrownBy(() -> send.datagram(foreign, 1, 1))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aNumberOfMoreThanTwentyFourBitsIsRefused() throws Exception {
        DatagramEnd end = open();
        AddressHandle handle = end.handleTo(end.gid());
        PostSend send = end.prepareSend(SendOpcode.SEND, 1);

        assertThatThrownBy(() -> send.datagram(handle, 1 << 24, 1))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> send.datagram(handle, -1, 1))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aPortThatTheDeviceHasNotIsRefused() throws Exception {
        Context context = openContext();
        ProtectionDomain domain = closing(context.allocateProtectionDomain());
        AddressVector own = Path.toItself(context).vector();
        AddressVector wrong = AddressVector.to(own.destinationGid(), 99, own.sourceGidIndex());

        assertThatThrownBy(() -> domain.createAddressHandle(wrong))
                .isInstanceOfAny(IllegalArgumentException.class, VerbsException.class);
    }

    @Test
    void aHandleKeepsItsDomainOpenAndClosesAnyNumberOfTimes() throws Exception {
        Context context = openContext();
        ProtectionDomain domain = closing(context.allocateProtectionDomain());
        AddressHandle handle = closing(domain.createAddressHandle(Path.toItself(context).vector()));

        assertThatThrownBy(domain::close).isInstanceOf(IllegalStateException.class);

        handle.close();
        handle.close();
        domain.close();
    }

    @Test
    void aHandleClosesOnceItsSendsHaveCompleted() throws Exception {
        DatagramEnd end = open();
        AddressVector address = Path.toItself(end.context()).vector();
        AddressHandle handle = closing(end.domain().createAddressHandle(address));
        end.postReceives(1, end.memory(1, SLOT), SLOT);
        PostSend send = end.end().prepareSend(new SendShape(SendOpcode.SEND, 0), 1);
        send.request(0)
                .flags(SendFlags.SIGNALED)
                .datagram(handle, end.queuePair().number(), DatagramEnd.QUEUE_KEY);
        assertThat(send.execute(0, 1)).isEqualTo(1);
        end.sends().takeSuccesses(1);
        end.receives().takeSuccesses(1);

        handle.close();

        assertThatThrownBy(() -> send.execute(0, 1)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> send.datagram(handle, 1, 1))
                .isInstanceOfAny(IllegalArgumentException.class, IllegalStateException.class);
        end.sends().assertSilentFor(quiet());
    }
}
