import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The folder of package.json, the same whether we run from `src/` or from `dist/`. */
export const packageRoot = findPackageRoot(dirname(fileURLToPath(import.meta.url)))

export function packagePath(...parts: string[]): string {
  return join(packageRoot, ...parts)
}

function findPackageRoot(folder: string): string {
  if (existsSync(join(folder, 'package.json')) && existsSync(join(folder, 'migrations'))) {
    return folder
  }
  const parent = dirname(folder)
  if (parent === folder) throw new Error('package.json was not found above the program')
  return findPackageRoot(parent)
}
