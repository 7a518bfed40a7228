import type { SiteDefinition } from '../../types.ts'

export const dead: SiteDefinition = {
  key: 'dead',
  name: 'Café Het Einde',
  kind: 'events',
  behaviour: 'misbehaving',
  description: 'Closes every connection without an answer',
  create: (context) => ({
    items: [],
    reserve: [],
    render: () => ({
      resources: new Map(),
      strategy: null,
      items: [],
      refused: [
        { url: `${context.origin}/`, kind: 'page', outcome: 'refused', reason: 'connection' },
      ],
    }),
    intercept: (_request, wire) => {
      wire.reset()
      return true
    },
  }),
}
