import type { Resource, SiteDefinition } from '../../types.ts'

export const captcha: SiteDefinition = {
  key: 'captcha',
  name: 'Ticketbalie Noord',
  kind: 'events',
  behaviour: 'misbehaving',
  description: 'Answers 200 with a challenge page to everybody',
  create: (context) => ({
    items: [],
    reserve: [],
    render: () => ({
      resources: new Map([['/robots.txt', robots]]),
      strategy: null,
      items: [],
      refused: [{ url: `${context.origin}/`, kind: 'page', outcome: 'refused', reason: 'blocked' }],
    }),
    intercept: (request, wire) => {
      if (request.path === '/robots.txt') return false
      wire.send(challenge)
      return true
    },
  }),
}

const robots: Resource = {
  type: 'text/plain',
  body: 'User-agent: *\nAllow: /\n',
  lastModified: new Date(0),
}

const challenge: Resource = {
  type: 'text/html; charset=utf-8',
  headers: { 'cache-control': 'no-store' },
  lastModified: new Date(0),
  body: `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Just a moment...</title><meta name="robots" content="noindex,nofollow">
<style>body{font-family:sans-serif;display:grid;place-items:center;min-height:100vh}</style></head>
<body><div class="challenge"><h1>Checking if you are human</h1><p>Please complete the captcha to continue. Enable JavaScript and cookies.</p>
<form id="challenge-form" action="/?__verify=1" method="post"><div class="g-recaptcha" data-sitekey="demo-key"></div><noscript>Please turn JavaScript on and reload the page.</noscript></form></div></body></html>`,
}
