import type { Language } from '../types.ts'
import { stylesheet } from './style.ts'

export interface Theme {
  name: string
  tagline: string
  accent: string
  language: Language
  nav: readonly { href: string; label: string }[]
  /** Sentences of the "about" block at the foot of every page. */
  about: string
  generator?: string
  bodyClass?: string
}

export interface PageParts {
  title: string
  main: string
  head?: string
  aside?: string
  description?: string
  canonical?: string
  /** Scripts at the end of the body. */
  scripts?: string
}

/** A whole page with the header, navigation, cookie notice and footer that real sites carry. */
export function htmlPage(theme: Theme, parts: PageParts): string {
  const words = theme.language === 'nl' ? dutch : english
  return `<!doctype html>
<html lang="${theme.language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(parts.title)}</title>
${parts.description === undefined ? '' : `<meta name="description" content="${escapeHtml(parts.description)}">`}
${theme.generator === undefined ? '' : `<meta name="generator" content="${escapeHtml(theme.generator)}">`}
${parts.canonical === undefined ? '' : `<link rel="canonical" href="${escapeHtml(parts.canonical)}">`}
<link rel="icon" type="image/svg+xml" href="/img/logo.svg">
<style>${stylesheet(theme.accent)}</style>
${parts.head ?? ''}
</head>
<body class="${theme.bodyClass ?? 'site'}">
<a class="skip-link" href="#inhoud">${words.skip}</a>
<header class="site-header">
  <div class="wrap">
    <a class="logo" href="/"><img src="/img/logo.svg" width="40" height="40" alt=""> <span>${escapeHtml(theme.name)}</span></a>
    <p class="tagline">${escapeHtml(theme.tagline)}</p>
    <nav class="site-nav" aria-label="${words.menu}"><ul>
${theme.nav.map((link) => `      <li><a href="${escapeHtml(link.href)}">${escapeHtml(link.label)}</a></li>`).join('\n')}
    </ul></nav>
  </div>
</header>
<div class="wrap columns">
<main id="inhoud">
${parts.main}
</main>
${parts.aside === undefined ? '' : `<aside class="sidebar">${parts.aside}</aside>`}
</div>
<footer class="site-footer">
  <div class="wrap footer-grid">
    <section><h2>${words.about} ${escapeHtml(theme.name)}</h2><p>${escapeHtml(theme.about)}</p></section>
    <section><h2>${words.follow}</h2><ul>
      <li><a rel="nofollow noopener" href="https://social.example/${encodeURIComponent(theme.name)}">Social Example</a></li>
      <li><a rel="nofollow noopener" href="https://video.example/${encodeURIComponent(theme.name)}">Video Example</a></li>
    </ul></section>
    <section><h2>${words.newsletter}</h2>
      <form action="https://post.example/subscribe" method="post"><label>${words.mail} <input type="email" name="email" autocomplete="email"></label> <button>${words.subscribe}</button></form>
      <p class="small">${words.newsletterNote}</p></section>
  </div>
  <p class="wrap small">${words.rights}</p>
</footer>
<div class="cookie-bar" role="region" aria-label="cookies" hidden>
  <p>${words.cookies}</p><button type="button">${words.accept}</button>
</div>
${parts.scripts ?? ''}
</body>
</html>
`
}

export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}

/** JSON that cannot end the script element it stands in. */
export function scriptJson(value: unknown): string {
  return JSON.stringify(value).replaceAll('<', '\\u003c')
}

/** A quiet drawing from a name, for pictures of anything. */
export function svgImage(name: string, hue: number): string {
  const initials = name.slice(0, 2).toUpperCase()
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 640 360" role="img"><rect width="640" height="360" fill="hsl(${hue} 35% 78%)"/><path d="M0 280 Q160 ${180 + (hue % 60)} 320 260 T640 220 V360 H0 Z" fill="hsl(${(hue + 40) % 360} 30% 55%)"/><circle cx="${120 + hue}" cy="90" r="40" fill="hsl(${(hue + 80) % 360} 60% 85%)"/><text x="320" y="200" font-family="sans-serif" font-size="64" text-anchor="middle" fill="#fff">${initials}</text></svg>`
}

const dutch = {
  skip: 'Naar de inhoud',
  menu: 'Hoofdmenu',
  about: 'Over',
  follow: 'Volg ons',
  newsletter: 'Nieuwsbrief',
  mail: 'E-mailadres',
  subscribe: 'Aanmelden',
  newsletterNote: 'Elke week het belangrijkste in je postvak. Afmelden kan met één klik.',
  rights: 'Alle rechten voorbehouden. Overname van teksten alleen met toestemming.',
  cookies:
    'Wij gebruiken cookies om deze site te laten werken en om bezoek te meten. Lees meer in onze verklaring.',
  accept: 'Akkoord',
}

const english = {
  skip: 'Skip to content',
  menu: 'Main menu',
  about: 'About',
  follow: 'Follow us',
  newsletter: 'Newsletter',
  mail: 'Email address',
  subscribe: 'Sign up',
  newsletterNote: 'The best of the week in your inbox. Unsubscribe with one click.',
  rights: 'All rights reserved. Do not reproduce without permission.',
  cookies: 'We use cookies to make this site work and to measure visits. Read more in our policy.',
  accept: 'Accept',
}
