# shellcheck shell=bash
# A newcomer's shell: nothing in the environment but what the network needs, a proxy and certificates. Sourced.

# bare HOME COMMAND...
bare() {
  local home=$1
  shift
  env -i HOME="$home" PATH=/usr/sbin:/usr/bin:/sbin:/bin ${http_proxy:+http_proxy="$http_proxy"} \
    ${NODE_EXTRA_CA_CERTS:+NODE_EXTRA_CA_CERTS="$NODE_EXTRA_CA_CERTS"} ${PIP_CERT:+PIP_CERT="$PIP_CERT"} "$@"
}
