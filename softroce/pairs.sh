# shellcheck shell=bash
# Sourced by scripts that run two ends as two processes: a server, and a client once that listens. They
# set limit_seconds, and find the ends' output in $work/server and $work/client.

work=$(mktemp -d)
server=
finish() {
    [ -z "$server" ] || kill "$server" 2>/dev/null || true
    rm -rf "$work"
}
trap finish EXIT

# Looks without connecting: a C server takes the first connection for its client. rdma_cm shows no
# socket; who listens by it has said so.
await_listening() {
    local hex tries
    hex=$(printf '%04X' "$port")
    for ((tries = 0; tries < 1200; tries++)); do
        grep -qs ":$hex [0-9A-F:]* 0A " /proc/net/tcp /proc/net/tcp6 && return
        grep -qs '^listening on' "$work/server" && return
        kill -0 "$server" 2>/dev/null || return
        sleep 0.1
    done
}

# Their exit statuses go to server_status and client_status; then port is another one.
run_pair() { # SERVER_COMMAND -- CLIENT_COMMAND
    local words=()
    while [ "$1" != -- ]; do
        words+=("$1")
        shift
    done
    shift
    : >"$work/client"
    timeout "$limit_seconds" "${words[@]}" >"$work/server" 2>&1 &
    server=$!
    await_listening
    client_status=0
    timeout "$limit_seconds" "$@" >"$work/client" 2>&1 || client_status=$?
    server_status=0
    wait "$server" || server_status=$?
    server=
    port=$((port + 1))
}
