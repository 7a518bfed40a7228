import iconv from 'iconv-lite'
import { makeArticles } from '../../generate/articles.ts'
import { articlesOf } from '../../generate/kinds.ts'
import { parseStories } from '../../generate/stories.ts'
import { at } from '../../generate/random.ts'
import { escapeHtml, htmlPage } from '../../render/html.ts'
import { allowAll, createPages, latest } from '../../render/pages.ts'
import { plainTheme } from '../../render/plain-events.ts'
import { truthOfArticle } from '../../render/truth.ts'
import type { DemoArticle, Rendered, SiteContext, SiteDefinition } from '../../types.ts'

export const wrongCharset: SiteDefinition = {
  key: 'wrong-charset',
  name: 'Het Koffiehuisblad',
  kind: 'news',
  behaviour: 'misbehaving',
  description: 'Declares one encoding and sends another, five ways',
  create: (context) => {
    const articles = makeArticles(context, parseStories(stories), { language: 'nl' })
    return {
      items: articles.slice(0, 5),
      reserve: articles.slice(5),
      render: (items) => render(context, articlesOf(items)),
    }
  },
}

interface Mistake {
  /** How the bytes really are. */
  encoding: string
  bom?: boolean
  header: string
  /** What the page claims in its head; null for nothing. */
  meta: string | null
}

const mistakes: readonly Mistake[] = [
  { encoding: 'windows-1252', header: 'text/html; charset=utf-8', meta: 'utf-8' },
  { encoding: 'windows-1252', header: 'text/html', meta: 'iso-8859-1' },
  { encoding: 'utf-8', bom: true, header: 'text/html; charset=iso-8859-1', meta: 'iso-8859-1' },
  { encoding: 'utf-8', header: 'text/html', meta: null },
  { encoding: 'utf-16le', bom: true, header: 'text/html', meta: null },
]

function render(context: SiteContext, articles: DemoArticle[]): Rendered {
  const pages = createPages(context)
  pages.robots(allowAll)
  const list = `<h1>Nieuws</h1><ul>${articles.map((a) => `<li><a href="${pathOf(a)}">${escapeHtml(a.title)}</a></li>`).join('')}</ul>`
  pages.html(
    '/',
    'listing',
    htmlPage(theme, { title: theme.name, main: list }),
    latest(articles, context.now),
  )
  for (const article of articles) {
    const mistake = at(mistakes, (Number(article.id.split('-').at(-1)) - 1) % mistakes.length)
    pages.resources.set(pathOf(article), {
      body: encode(articlePage(article), mistake),
      type: mistake.header,
      lastModified: article.updatedAt,
      page: 'page',
    })
  }
  return {
    resources: pages.resources,
    strategy: 'article',
    items: articles.map((a) => truthOfArticle(a, pages.url(pathOf(a)), { section: null })),
  }
}

function articlePage(article: DemoArticle): string {
  const main = `<article><h1>${escapeHtml(article.title)}</h1><p class="meta">Door ${escapeHtml(article.author)}, <time datetime="${article.publishedAt.toISOString()}">${article.publishedAt.toISOString().slice(0, 10)}</time></p>
${[article.lead, ...article.paragraphs].map((text) => `<p>${escapeHtml(text)}</p>`).join('\n')}</article>`
  return htmlPage(theme, {
    title: `${article.title} | ${theme.name}`,
    description: article.lead,
    head: `<meta property="og:type" content="article"><meta property="article:published_time" content="${article.publishedAt.toISOString()}">`,
    main,
  })
}

function encode(html: string, mistake: Mistake): Buffer {
  const claim = mistake.meta === null ? '' : `<meta charset="${mistake.meta}">`
  const text = html.replace('<meta charset="utf-8">', claim)
  return iconv.encode(text, mistake.encoding, { addBOM: mistake.bom ?? false })
}

const pathOf = (article: DemoArticle): string => `/bericht/${article.slug}`
const theme = {
  ...plainTheme('Het Koffiehuisblad', 'Nieuws bij de koffie', '#795548'),
  nav: [{ href: '/', label: 'Nieuws' }],
}

const stories = `
# nieuws | Café ’t Hoekje viert honderdjarig jubileum
De oudste kroeg van Groot-Ammers trakteert het hele dorp op koffie à € 1,00.
Eigenaresse Chloë Ñíguez nam de zaak in 2003 over van haar oom.
De gevel uit 1926 kreeg een nieuwe laag crème verf.
Muziekvereniging Concordia speelt ’s middags een zelfgeschreven ode.
Wie een foto van vroeger meeneemt, krijgt er een stuk appeltaart bij.
Het café is die dag tot één uur ’s nachts geopend.
# nieuws | Coöperatie wil zonnecentrale op vuilstort van Meerkerk
Tweehonderd huishoudens hebben zich al ingeschreven als mede-eigenaar.
De belt ligt sinds de jaren tachtig ongebruikt langs de snelweg.
Geëgaliseerde grond en een stevige folie moeten verzakking vóórkomen.
Initiatiefnemer André Kieviet rekent op een rendement van vijf procent.
De netbeheerder waarschuwt dat aansluiten pas in 2028 kan.
Een financiële bijdrage van de provincie is aangevraagd.
# nieuws | Patiënten tevreden over huisarts op wielen
De bus met spreekkamer rijdt drie dagen per week langs kleine kernen.
Reünies van oud-collega’s leverden de eerste vrijwillige chauffeurs op.
Zo’n veertig procent van de bezoekers is boven de tachtig.
Een beëdigd tolk is via het scherm altijd beschikbaar.
Volgens de verzekeraar scheelt het duizenden taxiritten.
Na de zomer volgt een tweede bus voor de oostkant.
# nieuws | Ruïne van kasteel Te Vliet blijkt ouder dan gedacht
Archeologen dateren de oudste muren nu op het einde van de twaalfde eeuw.
Tussen de stenen lag een munt uit de tijd van bisschop Godfried.
Vrijwilligers zeefden veertien kuub puin op scherven en graten.
De geïmproviseerde loopbrug wordt vervangen door een stalen pad.
Bezoekers krijgen straks een reconstructie op hun telefoon te zien.
De gemeente trekt er € 85.000 voor uit.
# nieuws | Skiën op borstels: oude baan krijgt tweede leven
De kunststofhelling in Nieuw-Lekkerland gaat na zeven jaar leegstand weer open.
De nieuwe uitbater haalde de matten persoonlijk op in Åre.
Beginners krijgen les op een oefenweide achter de kantine.
Een energiezuinige sproeier houdt de borstels glad.
Scholen kunnen voor de kerst gratis kennismaken.
De naïeve berekening van destijds is volgens hem niet meer van toepassing.
# nieuws | Burgemeester reikt élf lintjes uit
In de raadzaal was het maandag dringen om een plekje op de publieke tribune.
De jongste gedecoreerde is zevenendertig, de oudste vierennegentig.
Voor het eerst kreeg een compleet echtpaar de onderscheiding tegelijk.
De speechschrijver had voor iedereen een limerick gemaakt.
Buiten wachtte een draaiorgel met een geoefende hand aan het wiel.
Na afloop waren er moorkoppen, officieel chocoladebollen genaamd.
`
