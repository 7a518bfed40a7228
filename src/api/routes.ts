import type { Api, ApiContext } from './context.ts'
import { adminRoutes } from './routes/admin.ts'
import { apiKeyRoutes } from './routes/api-keys.ts'
import { authRoutes } from './routes/auth.ts'
import { changeRoutes } from './routes/changes.ts'
import { channelRoutes } from './routes/channels.ts'
import { classificationRoutes } from './routes/classification.ts'
import { crawlRoutes } from './routes/crawl.ts'
import { deliveryRoutes } from './routes/deliveries.ts'
import { demoRoutes } from './routes/demo.ts'
import { eventLogRoutes } from './routes/event-log.ts'
import { extractRoutes } from './routes/extract.ts'
import { feedRoutes } from './routes/feeds.ts'
import { frontierRoutes } from './routes/frontier.ts'
import { healthRoutes } from './routes/health.ts'
import { jobControlRoutes } from './routes/job-control.ts'
import { jobStatsRoutes } from './routes/job-stats.ts'
import { jobRoutes } from './routes/jobs.ts'
import { logRoutes } from './routes/logs.ts'
import { publishStatsRoutes } from './routes/publish-stats.ts'
import { roundRoutes } from './routes/rounds.ts'
import { routeRoutes } from './routes/routes.ts'
import { runRoutes } from './routes/runs.ts'
import { schedulerRoutes } from './routes/scheduler.ts'
import { sourceBulkRoutes } from './routes/source-bulk.ts'
import { sourceFileRoutes } from './routes/source-files.ts'
import { sourceGroupRoutes } from './routes/source-groups.ts'
import { sourceRoutes } from './routes/sources.ts'
import { topicRoutes } from './routes/topics.ts'
import { userRoutes } from './routes/users.ts'
import { yieldRoutes } from './routes/yield.ts'

/** Every resource of the API, each in a file of its own. */
export const allRoutes: ((api: Api, context: ApiContext) => void)[] = [
  healthRoutes,
  authRoutes,
  userRoutes,
  apiKeyRoutes,
  demoRoutes,
  sourceRoutes,
  sourceBulkRoutes,
  sourceFileRoutes,
  sourceGroupRoutes,
  eventLogRoutes,
  adminRoutes,
  jobStatsRoutes,
  jobRoutes,
  jobControlRoutes,
  runRoutes,
  logRoutes,
  schedulerRoutes,
  crawlRoutes,
  frontierRoutes,
  extractRoutes,
  yieldRoutes,
  roundRoutes,
  topicRoutes,
  classificationRoutes,
  routeRoutes,
  feedRoutes,
  channelRoutes,
  deliveryRoutes,
  changeRoutes,
  publishStatsRoutes,
]
