import { lookup as resolveName, type LookupAddress } from 'node:dns'
import { isIP } from 'node:net'
import { buildConnector } from 'undici'
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
  connector: buildConnector.connector
}

export class PrivateAddress extends Error {
  readonly code = 'PRIVATE_ADDRESS'
  constructor(host: string, reason: string) {
    super(`${host} ${reason}`)
    this.name = 'PrivateAddress'
  }
}

type Lookup = (host: string) => Promise<LookupAddress[]>

export function createGuard(options: GuardOptions, lookup: Lookup = resolveAll): Guard {
  const allowed = (host: string, port: number | string): boolean =>
    options.allowPrivate || (options.allowedHosts?.has(`${host}:${port}`) ?? false)
  const refusesAddress = (address: string, host: string, port: number): string | null =>
    allowed(host, port) || !isPrivateAddress(address) ? null : 'resolves to a private address'
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
    connector: guardedConnector(refusesAddress, lookup),
  }
}

/**
 * Resolves the name itself, refuses if any of its addresses is inside, and connects to exactly the address it
 * checked: a name that answers differently the second time gains nothing. Undici's own lookup hook is not called for
 * literal addresses, so the check stands here.
 */
function guardedConnector(
  refuses: Guard['refusesAddress'],
  lookup: Lookup,
): buildConnector.connector {
  const connect = buildConnector({ timeout: 10_000, allowH2: true })
  return (target, callback) => {
    const host = bare(target.hostname)
    const port = Number(target.port || defaultPort(target.protocol))
    void (async () => {
      try {
        const addresses =
          isIP(host) > 0 ? [{ address: host, family: isIP(host) }] : await lookup(host)
        for (const { address } of addresses) {
          const reason = refuses(address, host, port)
          if (reason !== null) throw new PrivateAddress(host, reason)
        }
        const [first] = addresses
        if (first === undefined) throw new PrivateAddress(host, 'has no address')
        connect(
          {
            ...target,
            hostname: first.address,
            servername: target.servername ?? (isIP(host) > 0 ? undefined : host),
          } as buildConnector.Options,
          callback,
        )
      } catch (error) {
        callback(error instanceof Error ? error : new Error(String(error)), null)
      }
    })()
  }
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
