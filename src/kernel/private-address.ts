import ipaddr from 'ipaddr.js'

/** Ranges that the outside world can reach; everything else is somebody's inside. */
const publicRanges = new Set(['unicast'])

/** True for loopback, private, link-local, CGNAT, metadata, multicast and all other addresses inside the house. */
export function isPrivateAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return true
  const parsed = ipaddr.process(address)
  if (parsed.kind() === 'ipv6') {
    const embedded = embeddedIpv4(parsed as ipaddr.IPv6)
    if (embedded !== null) return isPrivateAddress(embedded)
  }
  return !publicRanges.has(parsed.range())
}

/**
 * Why a URL may not be fetched, as far as its text tells; null when it may. Names that resolve to private addresses
 * are caught when they are resolved.
 */
export function privateUrlReason(url: string): string | null {
  const parsed = URL.parse(url)
  if (parsed === null) return 'is not a URL'
  if (parsed.protocol !== 'http:' && parsed.protocol !== 'https:')
    return 'must start with http:// or https://'
  if (parsed.username !== '' || parsed.password !== '')
    return 'must not contain a user name or password'
  const host = parsed.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
  // WHATWG parsing has already turned decimal, octal and short forms into dotted ones.
  if (ipaddr.isValid(host)) return isPrivateAddress(host) ? 'points to a private address' : null
  if (/(^|\.)(localhost|local|internal|lan|home\.arpa)$/i.test(host))
    return 'points to a private name'
  return host.includes('.') ? null : 'needs a full host name'
}

/** 6to4, Teredo and NAT64 carry an IPv4 address that the packet ends up at. */
function embeddedIpv4(address: ipaddr.IPv6): string | null {
  const bytes = address.toByteArray()
  const text = (from: number): string => bytes.slice(from, from + 4).join('.')
  const range = address.range()
  if (range === '6to4') return text(2)
  if (range === 'rfc6052') return text(12)
  return null
}
