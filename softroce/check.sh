# What the guest needs on the host, in one place. Sourced by bin/softroce.
# shellcheck shell=bash disable=SC2154  # bin/softroce sets the variables
#
# PACKAGE, WHAT TELLS THAT IT IS THERE (a command, or a file with *), WHAT FOR. "guest": without it
# none comes up. The others are there for what is done in the guest, which sees the host's files.
requirements() {
    cat <<'END'
qemu-system-x86   qemu-system-x86_64                  guest
cpio              cpio                                guest
kmod              modprobe                            guest
xz-utils          xz                                  guest
zstd              zstd                                guest
busybox-static    busybox                             guest
iproute2          rdma                                guest
rdma-core         /usr/lib/udev/rules.d/*rdma*        RDMA programs
ibverbs-providers /etc/libibverbs.d/rxe.driver        RDMA programs
librdmacm1        /usr/lib/*/librdmacm.so.1           RDMA programs
ibverbs-utils     ibv_devinfo                         looking at devices
rdmacm-utils      rping                               the self-test
perftest          ib_send_bw                          the self-test, comparing with C
tcpdump           tcpdump                             --capture
tshark            tshark                              the self-test, reading captures
gcc               gcc                                 the test of struct layouts
libc6-dev         /usr/include/stdio.h                the test of struct layouts
libibverbs-dev    /usr/include/infiniband/verbs.h     the test of struct layouts
librdmacm-dev     /usr/include/rdma/rdma_cma.h        the test of struct layouts
END
}

packages() {
    requirements | awk '{ print $1 }' | xargs
}

is_there() { # COMMAND OR PATTERN
    case $1 in
        /*) compgen -G "$1" >/dev/null ;;
        *) PATH=$PATH:/usr/sbin:/sbin command -v "$1" >/dev/null ;;
    esac
}

# The packages without which no guest comes up, one a line.
missing_for_the_guest() {
    local package sign purpose
    requirements | while read -r package sign purpose; do
        [ "$purpose" != guest ] || is_there "$sign" || echo "$package"
    done
}

apt_line() {
    local sudo=
    [ "$(id -u)" = 0 ] || sudo="sudo "
    echo "${sudo}apt-get install --no-install-recommends $*"
}

check() {
    local package sign purpose status=0 missing=()
    while read -r package sign purpose; do
        if is_there "$sign"; then
            printf 'found    %s\n' "$package"
            continue
        fi
        missing+=("$package")
        if [ "$purpose" = guest ]; then
            printf 'MISSING  %s\n' "$package"
            status=1
        else
            printf 'missing  %s, only for: %s\n' "$package" "$purpose"
        fi
    done < <(requirements)
    check_kernel || status=1
    [ ${#missing[@]} = 0 ] || printf '\nTo install what is missing:\n    %s\n' "$(apt_line "${missing[@]}")"
    return $status
}

# Says what the guest would boot, and on what. Downloads nothing.
check_kernel() {
    local name
    name=$(cat "$cache/newest-kernel" 2>/dev/null)
    printf 'cache    %s\n' "$cache"
    if [ "$(uname -m)" != x86_64 ]; then
        printf 'MISSING  an x86-64 machine: this is %s\n' "$(uname -m)"
        return 1
    elif [ -n "$name" ] && [ -d "$cache/$name" ]; then
        printf 'kernel   %s\n' "${name#kernel-}"
    elif ! command -v apt-get >/dev/null || ! name=$(kernel_package); then
        printf 'MISSING  a kernel: apt-get knows none of %s (try: apt-get update)\n' "$kernel_packages"
        return 1
    else
        printf 'kernel   %s, which the first use downloads (100 MB)\n' "$name"
        printf 'CPU      KVM if the first use finds that it works, else TCG (emulation)\n'
        return
    fi
    [ -z "$(missing_for_the_guest)" ] || return 0
    prepare_cache
    rm -f "$(known_answer)"
    choose_accelerator
    printf 'CPU      %s: %s\n' "${accelerator^^}" "$accelerator_reason"
}
