// The limit: undici and htmlparser2 streaming, everything in memory, nothing kept.
import { Parser } from 'htmlparser2'
import { Agent } from 'undici'
import { exchange } from '../../src/crawl/fetch/exchange.ts'

const start = process.argv[2] ?? ''
const agent = new Agent({ connections: 64 })
const seen = new Set([start])
const queue = [start]
let items = 0
let pages = 0

async function worker(): Promise<void> {
  for (let url = queue.shift(); url !== undefined || pages < seen.size; url = queue.shift()) {
    if (url === undefined) {
      await new Promise((resolve) => setTimeout(resolve, 1))
      continue
    }
    const response = await exchange(
      agent,
      new URL(url),
      {},
      { maxBytes: 1e7, totalMs: 30_000, idleMs: 15_000 },
    )
    read(response.body.toString(), url)
    pages++
  }
}

function read(html: string, url: string): void {
  let inJson = false
  let json = ''
  const parser = new Parser({
    onopentag: (name, attributes) => {
      inJson = name === 'script' && attributes['type'] === 'application/ld+json'
      const href = name === 'a' ? attributes['href'] : undefined
      if (href === undefined) return
      const target = new URL(href, url)
      target.hash = ''
      if (target.origin !== new URL(start).origin || seen.has(target.href)) return
      seen.add(target.href)
      queue.push(target.href)
    },
    ontext: (text) => {
      if (inJson) json += text
    },
    onclosetag: () => {
      if (!inJson) return
      JSON.parse(json)
      items++
      inJson = false
      json = ''
    },
  })
  parser.end(html)
}

console.log(JSON.stringify({ ready: true }))
await Promise.all(Array.from({ length: 64 }, worker))
console.log(JSON.stringify({ done: true, pages, items }))
await agent.close()
