package io.rdmanet.ffm.c;

/// `struct ibv_device`, the fields we use: two strings of at most 64 bytes each, `name` (`rxe0`) at
/// 24 and `dev_name` (`uverbs0`) at 88.
public final class DeviceDescriptor {
    public static final int NAME = 24;
    public static final int DEVICE_NAME = 88;

    private DeviceDescriptor() {}
}
