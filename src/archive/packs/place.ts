import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { codeOf } from '../../kernel/errors.ts'
import { isUuid } from '../../kernel/ids.ts'

const suffix = '.pack'

/** In a folder for each day, by the time in the name of the pack. */
export function packPath(folder: string, pack: string): string {
  const begun = new Date(Number.parseInt(pack.slice(0, 8) + pack.slice(9, 13), 16))
  return join(folder, begun.toISOString().slice(0, 10), `${pack}${suffix}`)
}

/** All packs, the oldest first. */
export async function listPacks(folder: string): Promise<string[]> {
  const names = await readdir(folder, { recursive: true }).catch((error: unknown) => {
    if (isMissing(error)) return []
    throw error
  })
  return names
    .map((name) => name.slice(-(36 + suffix.length), -suffix.length))
    .filter((pack, index) => isUuid(pack) && names[index]?.endsWith(suffix))
    .toSorted()
}

export function isMissing(error: unknown): boolean {
  return codeOf(error) === 'ENOENT'
}
