import { setTimeout as wait } from 'node:timers/promises'
import { plainEventPages, plainTheme, textPage } from '../../render/plain-events.ts'
import type { SiteDefinition, TruthPage } from '../../types.ts'

export const slow: SiteDefinition = {
  key: 'slow',
  name: 'Streekarchief De Lade',
  kind: 'mixed',
  behaviour: 'misbehaving',
  description: 'Some pages drip one byte a second, one never gets past its first bytes',
  create: (context) => ({
    items: [],
    reserve: [],
    render: () => {
      const pages = plainEventPages(
        context,
        theme,
        [],
        [
          { href: '/bezoek', label: 'Bezoek' },
          ...dripping.map((href) => ({ href, label: `Inventaris ${href}` })),
          { href: stalled, label: 'Zoekmachine' },
        ],
      )
      pages.html(
        '/bezoek',
        'page',
        textPage(theme, 'Bezoek', ['De studiezaal is open op woensdag.']),
      )
      const refused = [...dripping, stalled].map((path): TruthPage => ({
        url: pages.url(path),
        kind: 'page',
        outcome: 'refused',
        reason: 'timeout',
      }))
      return { resources: pages.resources, strategy: null, items: [], refused }
    },
    intercept: (request, wire) => {
      const head = { status: 200, headers: { 'content-type': 'text/html; charset=utf-8' } }
      if (dripping.includes(request.path)) wire.stream(head, drip())
      else if (request.path === stalled) wire.stream(head, stall())
      else return false
      return true
    },
  }),
}

/** A byte a second for a minute: never idle, never done. */
async function* drip(): AsyncGenerator<Buffer> {
  yield Buffer.from('<!doctype html><title>Inventaris</title><h1>Inventaris</h1><p>')
  for (let second = 0; second < 60; second++) {
    await wait(1000, undefined, { ref: false })
    yield Buffer.from('.')
  }
}

async function* stall(): AsyncGenerator<Buffer> {
  yield Buffer.from('<!doctype html><title>Zoeken')
  await wait(120_000, undefined, { ref: false })
}

const dripping = ['/inventaris/1', '/inventaris/2']
const stalled = '/zoekmachine'
const theme = plainTheme('Streekarchief De Lade', 'Zes eeuwen papier', '#6d4c41')
