import fastifyStatic from '@fastify/static'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { packagePath } from '../kernel/package-root.ts'
import type { Api } from './context.ts'
import { problem, sendProblem } from './problem.ts'

/** The built dashboard, and its index page for every address it routes by itself. Anything else unknown is a 404. */
export async function serveDashboard(
  api: Api,
  folder = packagePath('dashboard', 'dist'),
): Promise<void> {
  const index = await serveFiles(api, folder)
  api.setNotFoundHandler((request, reply) => {
    const path = request.url.split('?')[0] ?? '/'
    const isPage =
      request.method === 'GET' && !/^\/(api|sse|assets)(\/|$)/.test(path) && !path.includes('.')
    if (index !== null && isPage) {
      return reply.type('text/html; charset=utf-8').header('cache-control', 'no-cache').send(index)
    }
    return sendProblem(
      reply,
      problem(404, 'Not found', `Nothing answers ${request.method} ${path}.`),
    )
  })
}

async function serveFiles(api: Api, folder: string): Promise<string | null> {
  if (!existsSync(join(folder, 'index.html'))) return null
  await api.register(fastifyStatic, {
    root: folder,
    // File names of assets carry a hash of their content.
    setHeaders: (reply, path) => {
      reply.header(
        'cache-control',
        path.includes('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache',
      )
    },
  })
  return readFileSync(join(folder, 'index.html'), 'utf8')
}
