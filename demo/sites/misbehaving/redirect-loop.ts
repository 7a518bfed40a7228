import { plainEventPages, plainTheme, textPage } from '../../render/plain-events.ts'
import type { Resource, SiteDefinition, TruthPage } from '../../types.ts'

export const redirectLoop: SiteDefinition = {
  key: 'redirect-loop',
  name: 'Stichting Rondom',
  kind: 'mixed',
  behaviour: 'misbehaving',
  description: 'A redirect loop, an endless chain of redirects, a sound redirect and a cookie wall',
  create: (context) => ({
    items: [],
    reserve: [],
    render: () => {
      const pages = plainEventPages(
        context,
        theme,
        [],
        [
          { href: '/heen', label: 'Heen en weer' },
          { href: '/verder/1', label: 'Steeds verder' },
          { href: '/oud-adres', label: 'Verhuisd' },
          { href: '/cookiemuur', label: 'Achter de cookiemuur' },
        ],
      )
      pages.redirect('/heen', '/weer', 302)
      pages.redirect('/weer', '/heen', 302)
      pages.redirect('/oud-adres', '/nieuw-adres')
      pages.html('/nieuw-adres', 'page', textPage(theme, 'Nieuw adres', ['Wij zijn verhuisd.']))
      pages.html('/cookiemuur', 'page', textPage(theme, 'Achter de muur', ['Dank voor uw koekje.']))
      const refused: TruthPage[] = [
        { url: pages.url('/heen'), kind: 'page', outcome: 'refused', reason: 'redirect_loop' },
        {
          url: pages.url('/verder/1'),
          kind: 'page',
          outcome: 'refused',
          reason: 'too_many_redirects',
        },
      ]
      return { resources: pages.resources, strategy: null, items: [], refused }
    },
    intercept: (request, wire) => {
      const step = /^\/verder\/(\d+)$/.exec(request.path)?.[1]
      if (step !== undefined) {
        wire.send(found(`/verder/${Number(step) + 1}`))
        return true
      }
      const hasCookie = /\bakkoord=ja\b/.test(String(request.headers['cookie'] ?? ''))
      if (request.path === '/cookiemuur' && !hasCookie) {
        wire.send(found('/cookiemuur', { 'set-cookie': 'akkoord=ja; Path=/' }))
        return true
      }
      return false
    },
  }),
}

function found(location: string, headers: Record<string, string> = {}): Resource {
  return {
    status: 302,
    type: 'text/html; charset=utf-8',
    headers: { location, ...headers },
    body: '',
    lastModified: new Date(0),
  }
}

const theme = plainTheme('Stichting Rondom', 'Altijd onderweg', '#ad1457')
