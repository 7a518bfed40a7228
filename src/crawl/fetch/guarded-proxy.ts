import {
  createServer,
  request as sendRequest,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { buildConnector } from 'undici'
import { failureOf } from './failure.ts'
import { PrivateAddress, type Guard } from './guard.ts'
import { tunnelConnector, type ProxyRoute } from './tunnel.ts'

/** A forward proxy on this machine for clients that have no hook at their connections. */
export interface GuardedProxy {
  url: string
  close(): Promise<void>
}

/** What this proxy itself has to say, as opposed to the site behind it. */
export const refusalHeader = 'x-millrace-refusal'

const statusOf: Record<string, number> = { private_address: 403, dns: 502, timeout: 504 }

/**
 * Everything a browser or another client asks for comes through here, so every connection, whatever made it, is
 * checked and pinned like our own. With a route, it goes on through that proxy.
 */
export async function startGuardedProxy(
  guard: Guard,
  route: ProxyRoute | null = null,
): Promise<GuardedProxy> {
  const connector = route === null ? guard.connector : tunnelConnector(guard, route)
  const open = new Set<Socket>()
  const server = createServer((request, response) => {
    forward(guard, connector, request, response).catch((error: unknown) => refuse(response, error))
  })
  server.on('connect', (request, socket: Socket, head: Buffer) => {
    tunnel(guard, connector, request, socket, head).catch((error: unknown) => {
      const { kind } = failureOf(error, false)
      socket.end(
        `HTTP/1.1 ${statusOf[kind] ?? 502} Refused\r\n${refusalHeader}: ${kind}\r\nContent-Length: 0\r\n\r\n`,
      )
    })
  })
  server.on('connection', (socket) => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    close: async () => {
      for (const socket of open) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** `GET http://host/path`: plain HTTP, passed on as it came. */
async function forward(
  guard: Guard,
  connector: buildConnector.connector,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const url = URL.parse(request.url ?? '')
  if (url === null || url.protocol !== 'http:')
    throw new PrivateAddress(request.url ?? '', 'is not a plain http address')
  const socket = await dial(guard, connector, url)
  const onward = sendRequest({
    method: request.method,
    path: url.pathname + url.search,
    headers: onwardHeaders(request.rawHeaders),
    setHost: false,
    createConnection: () => socket,
  })
  onward.on('response', (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.rawHeaders)
    answer.pipe(response)
    answer.on('error', () => response.destroy())
  })
  onward.on('error', (error) => refuse(response, error))
  response.on('close', () => socket.destroy())
  request.pipe(onward)
}

async function tunnel(
  guard: Guard,
  connector: buildConnector.connector,
  request: IncomingMessage,
  client: Socket,
  head: Buffer,
): Promise<void> {
  client.on('error', () => client.destroy())
  const url = URL.parse(`http://${request.url ?? ''}`)
  if (url === null) throw new PrivateAddress(request.url ?? '', 'is not host:port')
  const socket = await dial(guard, connector, url, `https://${request.url ?? ''}`)
  client.write('HTTP/1.1 200 Connection Established\r\n\r\n')
  if (head.length > 0) socket.write(head)
  socket.on('error', () => client.destroy())
  socket.on('close', () => client.destroy())
  client.on('close', () => socket.destroy())
  socket.pipe(client)
  client.pipe(socket)
}

function dial(
  guard: Guard,
  connector: buildConnector.connector,
  url: URL,
  named = url.href,
): Promise<Socket> {
  const reason = guard.refuses(named)
  if (reason !== null) throw new PrivateAddress(url.host, reason)
  return new Promise((resolve, reject) => {
    connector(
      { hostname: url.hostname, host: url.host, protocol: 'http:', port: url.port || '80' },
      (error, socket) => (error === null ? resolve(socket) : reject(error)),
    )
  })
}

/** The headers in their order and spelling, without those meant for this proxy. */
function onwardHeaders(raw: readonly string[]): string[] {
  const kept: string[] = []
  for (let index = 0; index < raw.length; index += 2) {
    const name = raw[index] ?? ''
    if (!/^proxy-/i.test(name)) kept.push(name, raw[index + 1] ?? '')
  }
  return kept
}

function refuse(response: ServerResponse, error: unknown): void {
  if (response.headersSent) return void response.destroy()
  const { kind, detail } = failureOf(error, false)
  response
    .writeHead(statusOf[kind] ?? 502, { [refusalHeader]: kind, 'content-type': 'text/plain' })
    .end(detail)
}
