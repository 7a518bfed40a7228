import { join } from 'node:path'
import type { Sql } from '../db/pool.ts'
import { Stop } from '../kernel/errors.ts'
import { fileArchive } from './files.ts'
import { s3Archive } from './s3.ts'
import type { Archive } from './store.ts'

export interface ArchiveSettings {
  dataDir: string
  s3Endpoint: string | null
  s3Region: string
  s3AccessKeyId: string | null
  s3SecretAccessKey: string | null
}

/** Where page bodies are: a bucket when one is configured, else the data folder. */
export function openArchive(settings: ArchiveSettings, sql: Sql): Archive {
  if (settings.s3Endpoint === null) return fileArchive(join(settings.dataDir, 'archive'), sql)
  if (settings.s3AccessKeyId === null || settings.s3SecretAccessKey === null)
    throw new Stop('S3_ENDPOINT is set, but S3_ACCESS_KEY_ID or S3_SECRET_ACCESS_KEY is not.')
  return s3Archive({
    endpoint: settings.s3Endpoint,
    region: settings.s3Region,
    accessKeyId: settings.s3AccessKeyId,
    secretAccessKey: settings.s3SecretAccessKey,
  })
}
