import { readFileSync, readdirSync, statSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { packagePath } from '../../src/kernel/package-root.ts'

/** Imports go down this list, never up, and capabilities do not know each other. */
const layers = ['main', 'cli', 'app', 'api', 'flows', 'capability', 'db', 'config', 'kernel']

/** Files at the top of src/ and the layer they belong to. */
const topFiles: Record<string, string> = {
  'main.ts': 'main',
  'app.ts': 'app',
  'demo-host.ts': 'app',
  'duties.ts': 'app',
  'config.ts': 'config',
  'settings.ts': 'config',
  'setting-kinds.ts': 'config',
}

const source = packagePath('src')

function layerOf(file: string): string {
  const [folder, ...rest] = relative(source, file).split('/')
  if (folder === undefined || rest.length === 0) return topFiles[folder ?? ''] ?? 'unknown'
  if (folder === 'duties') return 'app'
  return layers.includes(folder) ? folder : 'capability'
}

function capabilityOf(file: string): string {
  return relative(source, file).split('/')[0] ?? ''
}

function productFiles(folder: string): string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name)
    if (statSync(path).isDirectory()) return productFiles(path)
    return name.endsWith('.ts') && !name.endsWith('.test.ts') ? [path] : []
  })
}

/** Type-only imports count too: a type ties two folders together as much as a value does. */
function importsOf(file: string): string[] {
  const text = readFileSync(file, 'utf8')
  return [...text.matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)'/g)].map((match) =>
    resolve(dirname(file), match[1] ?? ''),
  )
}

test('imports go one way', () => {
  const wrong: string[] = []
  for (const file of productFiles(source)) {
    for (const target of importsOf(file)) {
      if (!target.startsWith(source)) {
        if (!/\/(contract|demo)\//.test(target))
          wrong.push(`${relative(source, file)} leaves src for ${target}`)
        continue
      }
      const from = layerOf(file)
      const to = layerOf(target)
      const upwards = layers.indexOf(to) < layers.indexOf(from)
      const sideways =
        from === 'capability' && to === 'capability' && capabilityOf(file) !== capabilityOf(target)
      if (upwards || sideways)
        wrong.push(
          `${relative(source, file)} (${from}) imports ${relative(source, target)} (${to})`,
        )
    }
  }
  expect(wrong).toEqual([])
})

test('only config.ts reads the environment', () => {
  const readers = productFiles(source).filter((file) =>
    readFileSync(file, 'utf8').includes('process.env'),
  )
  expect(readers.map((file) => relative(source, file)).sort()).toEqual([
    'cli/serve.ts',
    'config.ts',
  ])
})

/** Loaded by the first use of what needs them: an idle process starts without. */
const heavy = [
  '@redis/client',
  'ai',
  'chrono-node',
  'csv-parse/sync',
  'eld/medium',
  'impit',
  'playwright-core',
  'undici',
  'warcio',
]

test('a start loads no browser, no models and no clients of others', () => {
  const seen = new Set<string>()
  const found: string[] = []
  const visit = (file: string): void => {
    if (seen.has(file)) return
    seen.add(file)
    const text = readFileSync(file, 'utf8')
    for (const [, name = ''] of text.matchAll(
      /^(?:import|export|\}) (?!type )[^'\n]*'([^']+)'/gm,
    )) {
      if (heavy.includes(name)) found.push(`${relative(source, file)} imports ${name}`)
      if (name.startsWith('.')) visit(resolve(dirname(file), name))
    }
  }
  for (const root of ['cli/serve.ts', 'duties.ts', 'api/server.ts']) visit(join(source, root))
  expect(seen.size).toBeGreaterThan(200)
  expect(found).toEqual([])
})
