package io.rdmanet.ffm.queue;

import io.rdmanet.ffm.c.DeviceDescriptor;
import io.rdmanet.ffm.c.Libibverbs;
import io.rdmanet.ffm.c.NativeMemory;
import io.rdmanet.ffm.c.Result;
import io.rdmanet.verbs.ErrorNumber;
import io.rdmanet.verbs.VerbsException;
import java.util.ArrayList;
import java.util.List;

/// The devices that libibverbs has a driver for. A device must be opened before the list is closed.
public final class DeviceList implements AutoCloseable {
    private static final long NONE = 0;

    private final long list;

    private DeviceList(long list) {
        this.list = list;
    }

    /// Reads the list.
    public static DeviceList read() throws VerbsException {
        long list = Libibverbs.ibv_get_device_list();
        if (!Result.isFailure(list)) {
            return new DeviceList(list);
        }
        int errno = Result.errorNumber(list);
        if (errno == ErrorNumber.ENOSYS) {
            return new DeviceList(NONE); // the kernel knows no RDMA
        }
        throw new VerbsException("get_device_list", errno, "reading the list of RDMA devices");
    }

    /// Their names, in the library's order.
    public List<String> names() {
        List<String> names = new ArrayList<>();
        for (long device : devices()) {
            names.add(nameOf(device));
        }
        return names;
    }

    /// Opens a device.
    ///
    /// @return the `struct ibv_context *`
    long open(String name) throws VerbsException {
        for (long device : devices()) {
            if (nameOf(device).equals(name)) {
                return open(name, device);
            }
        }
        List<String> names = names();
        throw new VerbsException(
                "open_device",
                ErrorNumber.ENODEV,
                "there is no device "
                        + name
                        + (names.isEmpty()
                                ? ", nor any other"
                                : ", only " + String.join(", ", names)));
    }

    private static long open(String name, long device) throws VerbsException {
        long context = Libibverbs.ibv_open_device(device);
        if (!Result.isFailure(context)) {
            return context;
        }
        int errno = Result.errorNumber(context);
        String file =
                "/dev/infiniband/" + NativeMemory.stringAt(device + DeviceDescriptor.DEVICE_NAME);
        String hint =
                switch (errno) {
                    case ErrorNumber.EACCES, ErrorNumber.EPERM ->
                            "; you need permission to read and write " + file;
                    case ErrorNumber.ENOENT, ErrorNumber.ENODEV ->
                            "; " + file + " is missing or its device was removed";
                    default -> "";
                };
        throw new VerbsException("open_device", errno, "device " + name + hint);
    }

    private List<Long> devices() {
        List<Long> devices = new ArrayList<>();
        if (list != NONE) {
            long place = list;
            long device = NativeMemory.longAt(place);
            while (device != 0) {
                devices.add(device);
                place += Long.BYTES;
                device = NativeMemory.longAt(place);
            }
        }
        return devices;
    }

    private static String nameOf(long device) {
        return NativeMemory.stringAt(device + DeviceDescriptor.NAME);
    }

    @Override
    public void close() {
        if (list != NONE) {
            Libibverbs.ibv_free_device_list(list);
        }
    }
}
