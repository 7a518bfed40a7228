import { open } from 'node:fs/promises'
import { isMissing, packPath } from './place.ts'

/** What was added to a pack so far survives the machine. A pack that is gone is for the check to find. */
export async function settlePack(folder: string, pack: string): Promise<void> {
  try {
    const file = await open(packPath(folder, pack))
    try {
      await file.datasync()
    } finally {
      await file.close()
    }
  } catch (error) {
    if (!isMissing(error)) throw error
  }
}
