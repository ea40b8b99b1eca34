# What a guest boots from, kept in the user's cache folder. Sourced by bin/softroce.
# shellcheck shell=bash disable=SC2154  # bin/softroce sets the variables
#
#   kernel-VERSION/     the kernel, and its modules under modules/
#   initramfs-KEY       busybox, softroce/init, softroce/guest and the modules they need
#   accelerator-KEY     whether KVM works (softroce/accelerator.sh)
#   newest-kernel       the name of the kernel's folder; as old as the last question to apt
#
# Everything is made under another name and then renamed, so that it is there whole or not at all,
# however many first uses there are at once.

# The first that apt knows. Any Debian kernel has rxe; this one is tried.
kernel_packages="linux-image-6.12-amd64 linux-image-amd64"

# In the initramfs; those they need come by themselves.
modules="qemu_fw_cfg 9p 9pnet_virtio overlay dummy veth sch_netem rdma_rxe rdma_ucm ib_uverbs"

# Sets kernel (a folder) and initramfs (a file).
prepare_cache() {
    mkdir -p "$cache" || die "cannot make the folder $cache: set XDG_CACHE_HOME to one of yours"
    trap 'rm -rf "${workshop:-}"' EXIT
    trap 'exit 130' INT
    trap 'exit 143' TERM HUP
    find_kernel
    find_busybox
    find_initramfs
    trap - EXIT INT TERM HUP
}

# A folder to make things in. Those of a launcher that was killed go after a day.
open_workshop() {
    find "$cache" -maxdepth 1 -name '*.workshop' -mtime +0 -exec rm -rf {} +
    workshop=$(mktemp -d -p "$cache" --suffix=.workshop) || die "cannot write in $cache: set XDG_CACHE_HOME to a folder of yours"
}

# Of two launchers that made the same folder at once, one puts it in place.
put_in_place() { # FOLDER WHERE
    mv -T "$1" "$2" 2>/dev/null || [ -e "$2" ] || die "cannot make $2"
    rm -rf "$workshop"
}

# Asking apt takes seconds, so it is asked again only when its lists have changed.
find_kernel() {
    local newest=$cache/newest-kernel package version name
    name=$(cat "$newest" 2>/dev/null)
    if [ -z "$name" ] || [ ! -d "$cache/$name" ] || [ /var/lib/apt/lists -nt "$newest" ]; then
        if package=$(kernel_package); then
            version=$(apt-cache show --no-all-versions "$package" | sed -n 's/^Version: //p')
            name=kernel-${package#linux-image-}_$version
        elif [ -z "$name" ] || [ ! -d "$cache/$name" ]; then
            die "apt knows none of the packages $kernel_packages: is this Debian, and are its lists there (apt-get update)?"
        fi
        [ -d "$cache/$name" ] || make_kernel "$package" "$cache/$name"
        echo "$name" >"$newest.$$" && mv "$newest.$$" "$newest"
    fi
    kernel=$cache/$name
}

# The package that the first of our packages stands for.
kernel_package() {
    local package real
    for package in $kernel_packages; do
        real=$(apt-cache depends "$package" 2>/dev/null |
            sed -n 's/^ *Depends: \(linux-image-[0-9][^ ]*\).*/\1/p' | sed 1q)
        [ -n "$real" ] && echo "$real" && return
    done
    return 1
}

make_kernel() { # PACKAGE FOLDER
    open_workshop
    echo "softroce: first use: downloading the guest's kernel, $1 ..." >&2
    download "$1"
    mkdir "$workshop/kernel"
    uncompressed_kernel "$workshop"/unpacked/boot/vmlinuz-* >"$workshop/kernel/vmlinux"
    mv "$workshop"/unpacked/lib/modules "$workshop/kernel/" 2>/dev/null ||
        mv "$workshop"/unpacked/usr/lib/modules "$workshop/kernel/"
    # Drivers of things that the guest does not have: indexing them takes most of the time.
    find "$workshop"/kernel/modules/*/kernel/drivers -mindepth 1 -maxdepth 1 \
        ! -name block ! -name char ! -name firmware ! -name infiniband ! -name net ! -name virtio \
        -exec rm -rf {} +
    rm -rf "$workshop"/kernel/modules/*/kernel/sound
    # modprobe and depmod look for lib/modules under the folder they are given.
    mkdir "$workshop/kernel/lib" && ln -s ../modules "$workshop/kernel/lib/modules"
    depmod -b "$workshop/kernel" "$(ls "$workshop/kernel/modules")" || die "cannot index the modules of $1"
    find "$cache" -maxdepth 1 -name 'kernel-*' -mtime +30 -exec rm -rf {} +
    put_in_place "$workshop/kernel" "$2"
}

# Unpacks a package, without installing it, to the workshop's folder unpacked.
download() { # PACKAGE
    local log
    log=$(cd "$workshop" && timeout 900 apt-get -qq download "$1" 2>&1) ||
        die "cannot download $1 (apt-get download): $log"
    dpkg-deb -x "$workshop/$1"_*.deb "$workshop/unpacked" || die "cannot unpack $1"
}

# An emulated CPU takes half of the boot to unpack the kernel: do it here, once. The header says
# where the packed kernel lies (Documentation/arch/x86/boot.rst of Linux: setup_sects,
# payload_offset, payload_length).
uncompressed_kernel() { # VMLINUZ
    local sectors offset length program
    sectors=$(od -An -tu1 -j $((0x1f1)) -N 1 "$1")
    read -r offset length < <(od -An -tu4 -j $((0x248)) -N 8 "$1")
    offset=$(((sectors + 1) * 512 + offset))
    case $(od -An -tx1 -j $offset -N 4 "$1" | tr -d ' ') in
        28b52ffd) program=zstd ;;
        fd377a58) program=xz ;;
        1f8b*) program=gzip ;;
        *) die "do not know how $1 is packed" ;;
    esac
    # The payload ends in four bytes of its own, at which the program complains after its work.
    tail -c "+$((offset + 1))" "$1" | head -c "$length" | "$program" -dc 2>/dev/null
    [ "${PIPESTATUS[2]}" -le 1 ] || die "cannot unpack $1 with $program"
}

# A static one, for in the initramfs there are no libraries.
find_busybox() {
    busybox=$(command -v busybox) && ! ldd "$busybox" >/dev/null 2>&1 && return
    busybox=$cache/busybox
    [ -x "$busybox" ] && return
    open_workshop
    download busybox-static
    mv "$(find "$workshop/unpacked" -name busybox -type f)" "$busybox"
    rm -rf "$workshop"
}

find_initramfs() {
    local key
    key=$(cat "$root"/softroce/{init,guest,cache.sh} "$busybox" "$kernel/modules"/*/modules.dep |
        sha256sum | cut -c 1-16)
    initramfs=$cache/initramfs-$key
    [ -e "$initramfs" ] || make_initramfs "$initramfs"
}

make_initramfs() { # FILE
    local made applet
    open_workshop
    made=$workshop/root
    mkdir -p "$made/bin" "$made/modules"
    cp "$busybox" "$made/bin/busybox"
    for applet in $("$busybox" --list); do
        [ "$applet" = busybox ] || ln -s busybox "$made/bin/$applet"
    done
    cp "$root/softroce/init" "$root/softroce/guest" "$made/"
    chmod 755 "$made/init"
    copy_modules "$made/modules" || die "cannot find the modules of the guest in $kernel"
    # Not compressed: it is read once, by a CPU that may be an emulated one.
    (cd "$made" && find . | cpio -o -H newc --quiet -R 0:0) >"$workshop/initramfs" ||
        die "cannot make the initramfs"
    find "$cache" -maxdepth 1 -name 'initramfs-*' -mtime +7 -delete
    put_in_place "$workshop/initramfs" "$1"
}

copy_modules() { # FOLDER
    local file name
    # shellcheck disable=SC2086  # a list of words
    modprobe -d "$kernel" -S "$(ls "$kernel/modules")" -a --show-depends $modules |
        sed -n 's/^insmod \([^ ]*\).*/\1/p' | awk '!seen[$0]++' >"$workshop/modules"
    while read -r file; do
        name=$(basename "$file") && name=${name%.ko*}.ko
        case $file in
            *.xz) xz -dc "$file" ;;
            *.zst) zstd -qdc "$file" ;;
            *) cat "$file" ;;
        esac >"$1/$name" || return 1
        echo "$name" >>"$1/order"
    done <"$workshop/modules"
    [ -s "$1/rdma_rxe.ko" ]
}
