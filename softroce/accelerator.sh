# Whether KVM works here, and what Java needs where it does not. Sourced by bin/softroce.
# shellcheck shell=bash disable=SC2154,SC2034  # bin/softroce sets and uses the variables
#
# /dev/kvm may be there, and open, and yet no guest come up (virtual machines in virtual machines):
# only trying tells. The answer is kept until the machine or qemu changes.

# Sets accelerator to kvm or tcg, and accelerator_reason.
choose_accelerator() {
    local known
    accelerator=tcg
    if [ ! -e /dev/kvm ]; then
        accelerator_reason="there is no /dev/kvm"
    elif [ ! -r /dev/kvm ] || [ ! -w /dev/kvm ]; then
        accelerator_reason="$(id -un) may not use /dev/kvm (try: adduser $(id -un) kvm)"
    else
        known=$(known_answer)
        [ -s "$known" ] || ask_kvm "$known"
        accelerator=$(cat "$known")
        accelerator_reason="a guest came up under KVM"
        [ "$accelerator" = kvm ] ||
            accelerator_reason="/dev/kvm is there, but no guest comes up under it; asked once per boot"
    fi
}

known_answer() {
    local key
    key=$(cat /proc/sys/kernel/random/boot_id <(qemu-system-x86_64 --version) | sha256sum | cut -c 1-16)
    echo "$cache/accelerator-$key"
}

# Boots the guest's own kernel as far as its first process. Where KVM works this takes a second.
ask_kvm() { # FILE
    local answer=tcg
    nameless probe
    # shellcheck disable=SC2154  # nameless sets it
    timeout -k 1 10 setpriv --pdeathsig KILL \
        qemu-system-x86_64 -accel kvm "${machine[@]}" -smp 1 -m 512 \
        -kernel "$kernel/vmlinux" -initrd "$initramfs" -append "$kernel_options softroce.probe" \
        -device virtio-serial-pci \
        -chardev "file,id=status,path=/dev/fd/$probe" -device virtserialport,chardev=status,name=status \
        </dev/null >/dev/null 2>&1
    grep -qx works "/dev/fd/$probe" && answer=kvm
    exec {probe}>&-
    find "$cache" -maxdepth 1 -name 'accelerator-*' -mtime +30 -delete
    echo $answer >"$1.$$" && mv "$1.$$" "$1"
}

# Options for Java on an emulated processor. A JVM starts in half the time if its archive of classes need
# not be moved. And methods are compiled once, by the quick compiler. For one thing, with several emulated
# processors qemu may read an instruction, byte by byte, just while the JVM on another one replaces it: half
# of the old one and half of the new one ran, and the JVM ended by SIGSEGV at the entry of a compiled method,
# in two of the first twelve starts that were counted; a compiling thread replaces entries when it has
# compiled a method better. For another, compiling better is work for the processors that the device itself
# needs: with --icount, which counts it, the event mode of versus-perftest had 0.67 of the C tool's rate with
# it and 0.81 without.
java_options() {
    [ "$accelerator" = tcg ] || return 0
    printf '%s ' -XX:+UnlockDiagnosticVMOptions -XX:ArchiveRelocationMode=0 -XX:TieredStopAtLevel=1
}
