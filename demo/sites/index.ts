import type { SiteDefinition } from '../types.ts'
import { brokenJsonLd } from './broken-json-ld.ts'
import { clientRendered } from './client-rendered.ts'
import { dutchNews } from './dutch-news.ts'
import { englishNews } from './english-news.ts'
import { ics } from './ics.ts'
import { jsonLd } from './json-ld.ts'
import { microdata } from './microdata.ts'
import { botWall } from './misbehaving/bot-wall.ts'
import { captcha } from './misbehaving/captcha.ts'
import { dead } from './misbehaving/dead.ts'
import { flaky } from './misbehaving/flaky.ts'
import { gzipBomb } from './misbehaving/gzip-bomb.ts'
import { hugeBody } from './misbehaving/huge-body.ts'
import { infiniteCalendar } from './misbehaving/infinite-calendar.ts'
import { rateLimited } from './misbehaving/rate-limited.ts'
import { redirectLoop } from './misbehaving/redirect-loop.ts'
import { robotsRules } from './misbehaving/robots-rules.ts'
import { slow } from './misbehaving/slow.ts'
import { wrongCharset } from './misbehaving/wrong-charset.ts'
import { municipal } from './municipal.ts'
import { nextApp } from './next-app.ts'
import { nextPages } from './next-pages.ts'
import { nuxt } from './nuxt.ts'
import { regionalGuide } from './regional-guide.ts'
import { wordpressAgenda } from './wordpress-agenda.ts'

// The order gives each site its port and its share of the ideas: add new ones at the end.
export const definitions: readonly SiteDefinition[] = [
  dutchNews,
  englishNews,
  wordpressAgenda,
  nextPages,
  nextApp,
  nuxt,
  jsonLd,
  brokenJsonLd,
  ics,
  municipal,
  microdata,
  clientRendered,
  regionalGuide,
  botWall,
  rateLimited,
  slow,
  hugeBody,
  redirectLoop,
  gzipBomb,
  wrongCharset,
  infiniteCalendar,
  robotsRules,
  flaky,
  captcha,
  dead,
]
