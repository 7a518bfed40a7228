// The parse thread when we run from the sources: threads do not inherit the loader of the main thread.
import { register } from 'tsx/esm/api'

register()
await import('./parse-worker.ts')
