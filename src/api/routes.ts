import type { Api, ApiContext } from './context.ts'
import { adminRoutes } from './routes/admin.ts'
import { alertRoutes } from './routes/alerts.ts'
import { apiKeyRoutes } from './routes/api-keys.ts'
import { articleRoutes } from './routes/articles.ts'
import { authRoutes } from './routes/auth.ts'
import { breakerRoutes } from './routes/breakers.ts'
import { calendarRoutes } from './routes/calendar.ts'
import { changeRoutes } from './routes/changes.ts'
import { channelTestRoutes } from './routes/channel-test.ts'
import { channelRoutes } from './routes/channels.ts'
import { classificationRoutes } from './routes/classification.ts'
import { clusterRoutes } from './routes/clusters.ts'
import { crawlRoutes } from './routes/crawl.ts'
import { deadLetterRoutes } from './routes/dead-letters.ts'
import { deliveryRoutes } from './routes/deliveries.ts'
import { demoRoutes } from './routes/demo.ts'
import { eventLogRoutes } from './routes/event-log.ts'
import { discoveryRoutes } from './routes/discovery.ts'
import { extractRoutes } from './routes/extract.ts'
import { feedRoutes as rankedFeedRoutes } from './routes/feed.ts'
import { feedRoutes } from './routes/feeds.ts'
import { frontierRoutes } from './routes/frontier.ts'
import { funnelDropRoutes } from './routes/funnel-drops.ts'
import { funnelRoutes } from './routes/funnel.ts'
import { healthRoutes } from './routes/health.ts'
import { jobControlRoutes } from './routes/job-control.ts'
import { jobStatsRoutes } from './routes/job-stats.ts'
import { jobRoutes } from './routes/jobs.ts'
import { journeyRoutes } from './routes/journey.ts'
import { liveEventRoutes } from './routes/live-events.ts'
import { logRoutes } from './routes/logs.ts'
import { pageRoutes } from './routes/pages.ts'
import { placeRoutes } from './routes/places.ts'
import { publishStatsRoutes } from './routes/publish-stats.ts'
import { roundRoutes } from './routes/rounds.ts'
import { routeRoutes } from './routes/routes.ts'
import { runRoutes } from './routes/runs.ts'
import { schedulerRoutes } from './routes/scheduler.ts'
import { sourceBulkRoutes } from './routes/source-bulk.ts'
import { sourceFileRoutes } from './routes/source-files.ts'
import { sourceGroupRoutes } from './routes/source-groups.ts'
import { sourcePreviewRoutes } from './routes/source-preview.ts'
import { sourceRoutes } from './routes/sources.ts'
import { stageEventRoutes } from './routes/stage-events.ts'
import { stageOutageRoutes } from './routes/stage-outages.ts'
import { statsRoutes } from './routes/stats.ts'
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
  sourcePreviewRoutes,
  eventLogRoutes,
  adminRoutes,
  jobStatsRoutes,
  jobRoutes,
  jobControlRoutes,
  runRoutes,
  logRoutes,
  schedulerRoutes,
  liveEventRoutes,
  crawlRoutes,
  frontierRoutes,
  pageRoutes,
  breakerRoutes,
  discoveryRoutes,
  extractRoutes,
  yieldRoutes,
  roundRoutes,
  topicRoutes,
  classificationRoutes,
  routeRoutes,
  feedRoutes,
  channelRoutes,
  channelTestRoutes,
  deliveryRoutes,
  changeRoutes,
  publishStatsRoutes,
  articleRoutes,
  calendarRoutes,
  placeRoutes,
  rankedFeedRoutes,
  clusterRoutes,
  deadLetterRoutes,
  stageEventRoutes,
  stageOutageRoutes,
  funnelRoutes,
  funnelDropRoutes,
  statsRoutes,
  journeyRoutes,
  alertRoutes,
]
