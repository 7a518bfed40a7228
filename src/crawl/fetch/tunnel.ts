import { connect as connectTcp, isIP, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { buildConnector } from 'undici'
import { portOf, serverNameOf, type Guard } from './guard.ts'

/** The proxy itself failed; the site behind it was never asked. */
export class ProxyFailed extends Error {
  readonly code = 'PROXY_FAILED'
  constructor(message: string) {
    super(message)
    this.name = 'ProxyFailed'
  }
}

export interface ProxyRoute {
  url: string
  /** Named by the operator in the configuration, so it may be inside the house. */
  trusted: boolean
}

const connectMs = 10_000

/**
 * Connects through an HTTP or SOCKS5 proxy. The name is resolved and checked here and the proxy is asked for that
 * address, so a proxy inside the house is no way into it.
 */
export function tunnelConnector(guard: Guard, route: ProxyRoute): buildConnector.connector {
  const secure = buildConnector({ timeout: connectMs, allowH2: true })
  return (target, callback) => {
    void (async () => {
      try {
        const port = portOf(target)
        const socket = await openTunnel(
          guard,
          route,
          await guard.resolve(target.hostname, port),
          port,
        )
        if (target.protocol !== 'https:') return callback(null, socket)
        const servername = serverNameOf(target)
        secure(
          {
            ...target,
            ...(servername !== undefined && { servername }),
            httpSocket: socket,
          },
          callback,
        )
      } catch (error) {
        callback(error instanceof Error ? error : new Error(String(error)), null)
      }
    })()
  }
}

async function openTunnel(
  guard: Guard,
  route: ProxyRoute,
  address: string,
  port: number,
): Promise<Socket> {
  const proxy = new URL(route.url)
  const proxyPort = Number(proxy.port || defaultPorts[proxy.protocol])
  const host = proxy.hostname.replace(/^\[|\]$/g, '')
  const reached = route.trusted ? host : await guard.resolve(host, proxyPort)
  const socket = await dial(proxy, host, reached, proxyPort)
  try {
    if (proxy.protocol.startsWith('socks')) await socksConnect(socket, proxy, address, port)
    else await httpConnect(socket, proxy, address, port)
    socket.setTimeout(0)
    return socket
  } catch (error) {
    socket.destroy()
    throw error
  }
}

const defaultPorts: Record<string, number> = {
  'http:': 80,
  'https:': 443,
  'socks5:': 1080,
  'socks5h:': 1080,
}

function dial(proxy: URL, servername: string, host: string, port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket: Socket =
      proxy.protocol === 'https:'
        ? connectTls({ host, port, ...(isIP(servername) === 0 && { servername }) })
        : connectTcp({ host, port })
    const fail = (message: string): void => {
      socket.destroy()
      reject(new ProxyFailed(`the proxy ${proxy.host} ${message}`))
    }
    socket.setNoDelay(true)
    socket.setTimeout(connectMs, () => fail('did not answer'))
    socket.on('error', (error) => fail(`failed: ${error.message}`))
    socket.once(proxy.protocol === 'https:' ? 'secureConnect' : 'connect', () => resolve(socket))
  })
}

async function httpConnect(
  socket: Socket,
  proxy: URL,
  address: string,
  port: number,
): Promise<void> {
  const authority = `${isIP(address) === 6 ? `[${address}]` : address}:${port}`
  const login = `${decodeURIComponent(proxy.username)}:${decodeURIComponent(proxy.password)}`
  socket.write(
    [
      `CONNECT ${authority} HTTP/1.1`,
      `Host: ${authority}`,
      ...(proxy.username === ''
        ? []
        : [`Proxy-Authorization: Basic ${Buffer.from(login).toString('base64')}`]),
      '\r\n',
    ].join('\r\n'),
  )
  const head = await readUntil(socket, (bytes) => {
    const end = bytes.indexOf('\r\n\r\n')
    return end === -1 ? null : end + 4
  })
  const status = Number(/^HTTP\/1\.[01] (\d{3})/.exec(head.toString('latin1'))?.[1] ?? 0)
  if (status < 200 || status > 299)
    throw new ProxyFailed(`the proxy ${proxy.host} answered ${status} to CONNECT`)
}

/** RFC 1928, with the name and password of RFC 1929 when the URL has them. */
async function socksConnect(
  socket: Socket,
  proxy: URL,
  address: string,
  port: number,
): Promise<void> {
  const refuse = (what: string): never => {
    throw new ProxyFailed(`the proxy ${proxy.host} ${what}`)
  }
  const withLogin = proxy.username !== ''
  socket.write(Buffer.from([5, 1, withLogin ? 2 : 0]))
  const method = await readUntil(socket, (bytes) => (bytes.length < 2 ? null : 2))
  if (method[0] !== 5 || method[1] !== (withLogin ? 2 : 0)) refuse('wants another login')
  if (withLogin) {
    const name = Buffer.from(decodeURIComponent(proxy.username))
    const password = Buffer.from(decodeURIComponent(proxy.password))
    socket.write(
      Buffer.concat([
        Buffer.from([1, name.length]),
        name,
        Buffer.from([password.length]),
        password,
      ]),
    )
    const login = await readUntil(socket, (bytes) => (bytes.length < 2 ? null : 2))
    if (login[1] !== 0) refuse('refused the login')
  }
  const packed = packAddress(address)
  socket.write(
    Buffer.concat([
      Buffer.from([5, 1, 0, packed.length === 4 ? 1 : 4]),
      packed,
      Buffer.from([port >> 8, port & 255]),
    ]),
  )
  const reply = await readUntil(socket, (bytes) => {
    if (bytes.length < 5) return null
    const length = { 1: 10, 3: 7 + (bytes[4] ?? 0), 4: 22 }[bytes[3] ?? 0] ?? 10
    return bytes.length < length ? null : length
  })
  if (reply[1] !== 0) refuse(`could not connect (SOCKS reply ${reply[1]})`)
}

function packAddress(address: string): Buffer {
  if (isIP(address) === 4) return Buffer.from(address.split('.').map(Number))
  const [head = '', tail] = address.split('::')
  const groups = (text: string): string[] => (text === '' ? [] : text.split(':'))
  const front = groups(head)
  const back = tail === undefined ? [] : groups(tail)
  const middle = Array.from({ length: 8 - front.length - back.length }, () => '0')
  return Buffer.from(
    [...front, ...middle, ...back].flatMap((group) => {
      const value = Number.parseInt(group, 16)
      return [value >> 8, value & 255]
    }),
  )
}

/** Reads exactly what `complete` asks for; anything after it stays in the socket. */
function readUntil(socket: Socket, complete: (bytes: Buffer) => number | null): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    let bytes = Buffer.alloc(0)
    const end = (): void => {
      socket.off('data', onData)
      socket.off('close', onClose)
      socket.pause()
    }
    const onClose = (): void => {
      end()
      reject(new ProxyFailed('the proxy closed the connection'))
    }
    const onData = (chunk: Buffer): void => {
      bytes = Buffer.concat([bytes, chunk])
      const length = bytes.length > 16_384 ? bytes.length : complete(bytes)
      if (length === null) return
      end()
      if (bytes.length > length) socket.unshift(bytes.subarray(length))
      resolve(bytes.subarray(0, length))
    }
    socket.on('data', onData)
    socket.once('close', onClose)
    socket.resume()
  })
}
