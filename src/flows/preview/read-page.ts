import { createCookieStore } from '../../crawl/fetch/cookies.ts'
import type { LadderUrl } from '../../crawl/fetch/ladder.ts'
import type { FetchedResponse, FetchResult, TierName } from '../../crawl/fetch/types.ts'
import type { HostRules } from '../../crawl/politeness/robots-cache.ts'
import { Unparsable } from '../parse/unparsable.ts'
import type { PageSurvey } from '../parse/survey-page.ts'
import { surveyInput } from '../survey-url.ts'
import type { PreviewDeps, Turn } from './preview-source.ts'

export interface PageFinding {
  /** refused: by robots.txt; blocked: by a challenge that no tier passed; unreachable: no answer at all. */
  state: 'read' | 'refused' | 'blocked' | 'failed' | 'unreachable'
  /** A failure kind of the fetchers, or robots, unparsable, timeout. */
  reason: string | null
  detail: string | null
  url: string
  status: number | null
  /** Which way of fetching gave the page, and which ones were tried before. */
  tier: TierName | null
  tried: { tier: TierName; outcome: string; ms: number }[]
  survey: PageSurvey | null
}

const start: LadderUrl = { id: 'start', kind: 'listing', isStart: true }
const mostFetches = 6

/** The page, by the cheapest way of fetching that gives something to read. */
export async function readPage(
  deps: PreviewDeps,
  url: string,
  rules: HostRules,
  limits: { turn: Turn; signal: AbortSignal },
): Promise<PageFinding> {
  const finding: PageFinding = {
    state: 'failed',
    reason: 'timeout',
    detail: null,
    url,
    status: null,
    tier: null,
    tried: [],
    survey: null,
  }
  if (rules.unreachable !== null)
    return { ...finding, state: 'unreachable', reason: rules.unreachable }
  if (!rules.allows(url)) return { ...finding, state: 'refused', reason: 'robots' }
  const climb = deps.ladder({
    renderMode: 'auto',
    proxy: null,
    memory: { tier: 'static', retryAt: null, failures: 0 },
  })
  const cookies = createCookieStore()
  for (let fetches = 0; fetches < mostFetches && (await limits.turn(limits.signal)); fetches++) {
    const answer = await climb.fetch(start, { url, cookies, signal: limits.signal })
    note(finding, answer)
    if (!answer.ok) {
      if (limits.signal.aborted || climb.failed(start, answer) === 'give_up') break
      continue
    }
    const survey = await readAnswer(deps, answer, finding)
    if (survey === null) break
    const why = survey.parsed.blocked !== null ? 'blocked' : 'needs_browser'
    const wanting = survey.parsed.blocked !== null || survey.parsed.needsBrowser
    if (!wanting || climb.rejected(start, answer.tier, why) === 'give_up') break
  }
  return finding
}

function note(finding: PageFinding, answer: FetchResult): void {
  const outcome = answer.ok ? 'answered' : answer.kind
  finding.tried.push({ tier: answer.tier, outcome, ms: answer.durationMs })
  // What a cheaper way gave is worth more than a failure of the next.
  if (answer.ok || finding.survey !== null) return
  finding.url = answer.finalUrl
  finding.status = answer.status
  finding.reason = answer.kind === 'stopped' ? 'timeout' : answer.kind
  finding.detail = answer.detail
  finding.state = answer.status === null ? 'unreachable' : 'failed'
}

async function readAnswer(
  deps: PreviewDeps,
  answer: FetchedResponse,
  finding: PageFinding,
): Promise<PageSurvey | null> {
  const input = surveyInput(answer.finalUrl, answer.body, answer.headers, {
    userAgent: deps.userAgent,
    now: () => deps.clock.now(),
  })
  try {
    const survey = await deps.pool.survey(input)
    finding.url = answer.finalUrl
    finding.status = answer.status
    finding.tier = answer.tier
    finding.survey = survey
    finding.state = survey.parsed.blocked === null ? 'read' : 'blocked'
    finding.reason = survey.parsed.blocked
    finding.detail = null
    return survey
  } catch (error) {
    if (!(error instanceof Unparsable)) throw error
    finding.reason = 'unparsable'
    finding.detail = error.message
    return null
  }
}
