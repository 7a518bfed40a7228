import { lookup as resolveName, type LookupAddress } from 'node:dns'
import { isIP } from 'node:net'
import type { buildConnector } from 'undici'
import { isPrivateAddress, privateUrlReason } from '../../kernel/private-address.ts'

export interface GuardOptions {
  allowPrivate: boolean
  /** host:port pairs that are fine although they are private: the demo web. */
  allowedHosts?: ReadonlySet<string>
}

/** Nobody crawls into the house: decides by name before a fetch and by address at every connection. */
export interface Guard {
  /** Why this URL may not be fetched, or null. */
  refuses(url: string): string | null
  /** Why a connection to this address may not be made, or null. */
  refusesAddress(address: string, host: string, port: number): string | null
  /** The one address to connect to, checked; throws PrivateAddress. */
  resolve(host: string, port: number): Promise<string>
  connector: buildConnector.connector
}

export class PrivateAddress extends Error {
  readonly code = 'PRIVATE_ADDRESS'
  constructor(host: string, reason: string) {
    super(`${host} ${reason}`)
    this.name = 'PrivateAddress'
  }
}

export type Lookup = (host: string) => Promise<LookupAddress[]>

export function createGuard(options: GuardOptions, lookup: Lookup = resolveAll): Guard {
  const allowed = (host: string, port: number | string): boolean =>
    options.allowPrivate || (options.allowedHosts?.has(`${host}:${port}`) ?? false)
  const refusesAddress = (address: string, host: string, port: number): string | null =>
    allowed(host, port) || !isPrivateAddress(address) ? null : 'resolves to a private address'
  const resolve = async (name: string, port: number): Promise<string> => {
    const host = bare(name)
    const addresses = isIP(host) > 0 ? [{ address: host }] : await lookup(host)
    for (const { address } of addresses) {
      const reason = refusesAddress(address, host, port)
      if (reason !== null) throw new PrivateAddress(host, reason)
    }
    const [first] = addresses
    if (first === undefined) throw new PrivateAddress(host, 'has no address')
    return first.address
  }
  return {
    refuses: (url) => {
      const parsed = URL.parse(url)
      if (
        parsed !== null &&
        allowed(bare(parsed.hostname), parsed.port || defaultPort(parsed.protocol))
      )
        return null
      return privateUrlReason(url)
    },
    refusesAddress,
    resolve,
    connector: guardedConnector(resolve),
  }
}

/**
 * Resolves the name itself, refuses if any of its addresses is inside, and connects to exactly the address it
 * checked: a name that answers differently the second time gains nothing. Undici's own lookup hook is not called for
 * literal addresses, so the check stands here.
 */
function guardedConnector(resolve: Guard['resolve']): buildConnector.connector {
  let connect: Promise<buildConnector.connector> | null = null
  return (target, callback) => {
    void (async () => {
      try {
        const hostname = await resolve(target.hostname, portOf(target))
        const servername = serverNameOf(target)
        connect ??= openConnector()
        const through = await connect
        through({ ...target, hostname, ...(servername !== undefined && { servername }) }, callback)
      } catch (error) {
        callback(error instanceof Error ? error : new Error(String(error)), null)
      }
    })()
  }
}

/** Loaded by the first connection: a process that only checks names needs no client. */
async function openConnector(): Promise<buildConnector.connector> {
  const undici = await import('undici')
  return undici.buildConnector({ timeout: 10_000, allowH2: true })
}

export function portOf(target: { port: string; protocol: string }): number {
  return Number(target.port || defaultPort(target.protocol))
}

/** The name the certificate must carry: that of the URL, not of the address we connect to. */
export function serverNameOf(target: buildConnector.Options): string | undefined {
  const host = bare(target.hostname)
  return target.servername ?? (isIP(host) > 0 ? undefined : host)
}

function resolveAll(host: string): Promise<LookupAddress[]> {
  return new Promise((resolve, reject) => {
    resolveName(host, { all: true, verbatim: false }, (error, addresses) => {
      if (error) reject(error)
      else resolve(addresses)
    })
  })
}

function bare(host: string): string {
  return host.replace(/^\[|\]$/g, '')
}

function defaultPort(protocol: string): number {
  return protocol === 'https:' ? 443 : 80
}
