import { createGzip } from 'node:zlib'
import { Readable } from 'node:stream'
import { plainEventPages, plainTheme, textPage } from '../../render/plain-events.ts'
import type { SiteDefinition } from '../../types.ts'

export const gzipBomb: SiteDefinition = {
  key: 'gzip-bomb',
  name: 'Rapportenbank Delta',
  kind: 'mixed',
  behaviour: 'misbehaving',
  description: 'A page of 200 kB that unpacks to 200 MB',
  create: (context) => ({
    items: [],
    reserve: [],
    render: () => {
      const pages = plainEventPages(
        context,
        theme,
        [],
        [
          { href: '/uitleg', label: 'Uitleg' },
          { href: '/rapport', label: 'Het rapport' },
        ],
      )
      pages.html('/uitleg', 'page', textPage(theme, 'Uitleg', ['Het rapport is wat groot.']))
      return {
        resources: pages.resources,
        strategy: null,
        items: [],
        refused: [
          { url: pages.url('/rapport'), kind: 'page', outcome: 'refused', reason: 'too_large' },
        ],
      }
    },
    intercept: (request, wire) => {
      if (request.path !== '/rapport') return false
      wire.stream(
        {
          status: 200,
          headers: { 'content-type': 'text/html; charset=utf-8', 'content-encoding': 'gzip' },
        },
        Readable.from(zeros()).pipe(createGzip({ level: 9 })),
      )
      return true
    },
  }),
}

function* zeros(): Generator<Buffer> {
  const block = Buffer.alloc(1024 * 1024, ' ')
  yield Buffer.from('<!doctype html><title>Rapport</title><pre>')
  for (let i = 0; i < 200; i++) yield block
}

const theme = plainTheme('Rapportenbank Delta', 'Onderzoek voor iedereen', '#1565c0')
