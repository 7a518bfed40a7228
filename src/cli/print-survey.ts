import Table from 'cli-table3'
import pc from 'picocolors'
import type { RawItem } from '../extract/types.ts'
import type { TraceStep } from '../extract/waterfall.ts'
import type { UrlSurvey } from '../flows/survey-url.ts'

const maxItems = 50

/** Items, trace and advice as tables. */
export function printSurvey(result: UrlSurvey): void {
  if (!result.ok) {
    console.log(`${pc.red(result.reason)}: ${result.detail} (${result.url})`)
    return
  }
  const { parsed, feeds, strategies } = result.survey
  console.log(`${pc.bold(parsed.title ?? result.url)}\n${result.url}\n`)
  if (parsed.blocked !== null) console.log(pc.yellow(`A block page: ${parsed.blocked}\n`))
  printItems(parsed.items)
  if (parsed.items.length === 0)
    console.log(
      parsed.saysEmpty
        ? 'The page says that nothing is planned.\n'
        : parsed.needsBrowser
          ? 'Nothing found: the page is drawn by its scripts.\n'
          : 'Nothing found.\n',
    )
  printTrace('Waterfall', parsed.trace)
  printTrace(
    'Each strategy alone',
    strategies.map(({ step }) => step),
  )
  if (feeds.length > 0)
    console.log(
      `${pc.bold('Feeds')}\n${feeds.map(({ url, kind }) => `  ${kind} ${url}`).join('\n')}\n`,
    )
  const { kind, preferredMethod, renderMode, rateLimit, intervalMinutes, reasons } =
    result.recommended
  console.log(
    `${pc.bold('Recommended')} kind ${kind}, method ${preferredMethod ?? 'none'}, rendering ${renderMode}, ${rateLimit} requests a second, every ${intervalMinutes} minutes`,
  )
  for (const reason of reasons) console.log(`  ${reason}`)
}

function printItems(items: readonly RawItem[]): void {
  if (items.length === 0) return
  const table = new Table({
    head: ['kind', 'title', 'when', 'where or by', 'sure', 'from'],
    colWidths: [9, 44, 24, 30, 6, 11],
    wordWrap: true,
  })
  for (const item of items.slice(0, maxItems))
    table.push([
      item.kind === 'article' ? 'article' : 'event',
      item.title,
      item.calendar?.start ?? item.article?.publishedAt ?? '',
      item.calendar?.locations[0]?.name ?? item.article?.byline ?? '',
      item.confidence.toFixed(2),
      item.strategy,
    ])
  console.log(table.toString())
  if (items.length > maxItems) console.log(`and ${items.length - maxItems} more`)
  console.log('')
}

function printTrace(title: string, steps: readonly TraceStep[]): void {
  if (steps.length === 0) return
  const table = new Table({ head: ['strategy', 'outcome', 'found', 'ms', 'note'] })
  for (const { strategy, outcome, found, ms, note } of steps)
    table.push([strategy, outcome, found, ms, note ?? ''])
  console.log(`${pc.bold(title)}\n${table.toString()}\n`)
}
