import { basename, join } from 'node:path'
import { build, type BuildOptions } from 'esbuild'
import { packagePath } from '../../src/kernel/package-root.ts'

/**
 * Makes one file of a script and the sources it imports, and gives its path. Tests that start and kill processes all
 * the time use it: such a file is ready in a third of the time that compiling while loading takes.
 */
export async function bundle(...script: string[]): Promise<string> {
  const entry = packagePath(...script)
  const outfile = `${placeOf(entry)}.mjs`
  await build({ ...options, entryPoints: [entry], outfile })
  return outfile
}

/** The same as a folder, where what is imported only when needed is loaded only then. */
export async function bundleInParts(
  ...script: string[]
): Promise<{ script: string; folder: string }> {
  const entry = packagePath(...script)
  const folder = placeOf(entry)
  await build({
    ...options,
    entryPoints: [entry],
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    splitting: true,
  })
  return { folder, script: join(folder, `${basename(entry, '.ts')}.mjs`) }
}

const options = {
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  packages: 'external',
  logLevel: 'warning',
} satisfies BuildOptions

/** Inside the package, so that it finds the packages it imports. */
function placeOf(entry: string): string {
  return join(packagePath('.cache', 'test'), `${basename(entry, '.ts')}-${process.pid}`)
}
