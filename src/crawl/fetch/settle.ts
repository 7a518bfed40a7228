import type { Page } from 'playwright-core'

const lookEveryMs = 100
/** Nothing under way and nothing drawn for this long: the page is there. */
const quietMs = 400
/** Some pages never stop asking (chats, counters); what stopped changing is good enough. */
const unchangedMs = 1500

/** Waits until a page has drawn itself: the network is quiet or its text stands still, for a bounded time. */
export async function waitForContent(page: Page, atMostMs: number): Promise<void> {
  let underWay = 0
  const up = (): void => void underWay++
  const down = (): void => void underWay--
  page.on('request', up)
  page.on('requestfinished', down)
  page.on('requestfailed', down)
  const started = performance.now()
  let size = -1
  let changedAt = started
  let busyAt = started
  try {
    for (;;) {
      const now = performance.now()
      if (now - started >= atMostMs) return
      const current = await page.evaluate(() => document.documentElement.outerHTML.length)
      if (current !== size) changedAt = performance.now()
      size = current
      if (underWay > 0) busyAt = performance.now()
      const still = performance.now() - changedAt
      if (still >= unchangedMs || (still >= quietMs && performance.now() - busyAt >= quietMs))
        return
      await new Promise((resolve) => setTimeout(resolve, lookEveryMs))
    }
  } finally {
    page.off('request', up)
    page.off('requestfinished', down)
    page.off('requestfailed', down)
  }
}
