import { plainEventPages, plainTheme, textPage } from '../../render/plain-events.ts'
import type { SiteDefinition, TruthPage } from '../../types.ts'

export const hugeBody: SiteDefinition = {
  key: 'huge-body',
  name: 'Catalogus Zonder Eind',
  kind: 'mixed',
  behaviour: 'misbehaving',
  description: 'Pages of 200 MB, one announced by its length and one not',
  create: (context) => ({
    items: [],
    reserve: [],
    render: () => {
      const pages = plainEventPages(
        context,
        theme,
        [],
        [
          { href: '/over', label: 'Over de catalogus' },
          { href: announced, label: 'De hele catalogus' },
          { href: unannounced, label: 'Het hele logboek' },
        ],
      )
      pages.html('/over', 'page', textPage(theme, 'Over de catalogus', ['Alles op één pagina.']))
      const refused = [announced, unannounced].map((path): TruthPage => ({
        url: pages.url(path),
        kind: 'page',
        outcome: 'refused',
        reason: 'too_large',
      }))
      return { resources: pages.resources, strategy: null, items: [], refused }
    },
    intercept: (request, wire) => {
      if (request.path !== announced && request.path !== unannounced) return false
      const length: Record<string, string> =
        request.path === announced ? { 'content-length': String(totalBytes) } : {}
      wire.stream(
        { status: 200, headers: { 'content-type': 'text/html; charset=utf-8', ...length } },
        body(),
      )
      return true
    },
  }),
}

async function* body(): AsyncGenerator<Buffer> {
  for (let sent = 0; sent < totalBytes; sent += block.length) yield block
}

const announced = '/catalogus'
const unannounced = '/logboek'
const block = Buffer.from(
  '<p>Nog een regel van de catalogus, met een nummer.</p>\n'.padEnd(64).repeat(1024),
)
const totalBytes = 200 * 1024 * 1024
const theme = plainTheme('Catalogus Zonder Eind', 'Alles op één pagina', '#37474f')
