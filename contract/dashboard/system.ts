export interface Readiness {
  status: 'ready' | 'not_ready'
  checks: { name: string; ok: boolean; reason: string }[]
}

export interface SystemState {
  version: string
  instance_id: string
  uptime_s: number
  roles: string[]
  leaders: { duty: string; holder: string | null }[]
  database: { embedded: boolean; version: string; size_bytes: number }
  redis: { configured: boolean; ok: boolean; reason: string }
  queue: { pending: number; running: number; oldest_seconds: number | null }
  workers: { alive: number; slots: number }
  memory_bytes: number
  node: string
}
