// Every setting of the program, in one place: variable, kind, default and what it is for.

import { choice, flag, integer, list, optional, secret, text, words } from './setting-kinds.ts'

const roleNames = ['api', 'scheduler', 'worker', 'relay'] as const
export type Role = (typeof roleNames)[number]

export const settings = {
  port: integer('PORT', 8060, { min: 0, max: 65_535 }, 'Port of the API and the dashboard'),
  host: text('HOST', '127.0.0.1', 'Address to listen on; 0.0.0.0 for every interface'),
  metricsPort: integer(
    'METRICS_PORT',
    0,
    { min: 0, max: 65_535 },
    'Port for /metrics and /health without a login, for processes without the API; 0 for none',
  ),
  publicUrl: optional('MILLRACE_PUBLIC_URL', 'Address under which people reach this Millrace'),
  dataDir: text(
    'MILLRACE_DATA_DIR',
    './data',
    'Folder for the embedded database, page bodies and secrets',
  ),
  roles: list('MILLRACE_ROLES', roleNames, 'Duties of this process'),
  instanceId: optional(
    'MILLRACE_INSTANCE_ID',
    'Name of this process among others; made up when unset',
  ),
  logLevel: choice(
    'MILLRACE_LOG_LEVEL',
    ['debug', 'info', 'warn', 'error', 'silent'],
    'info',
    'Least severe log line to write',
  ),
  logFormat: choice(
    'MILLRACE_LOG_FORMAT',
    ['auto', 'json', 'pretty'],
    'auto',
    'auto: readable on a terminal, JSON elsewhere',
  ),

  databaseUrl: secret(
    'DATABASE_URL',
    'Outside PostgreSQL (15 or newer) instead of the embedded one',
  ),
  databasePoolSize: integer(
    'MILLRACE_DATABASE_POOL',
    16,
    { min: 2, max: 200 },
    'Database connections of this process',
  ),

  jwtSecret: secret(
    'AUTH_JWT_SECRET',
    'Key that signs sessions; made and kept in the data folder when unset',
  ),
  sessionHours: integer(
    'AUTH_SESSION_HOURS',
    24 * 7,
    { min: 1, max: 24 * 365 },
    'How long a login lasts',
  ),
  adminEmail: text('AUTH_ADMIN_EMAIL', 'admin@millrace.local', 'Email of the first admin'),
  adminPassword: secret(
    'AUTH_ADMIN_PASSWORD',
    'Password of the first admin; without it the start banner shows a login link',
  ),
  rateLimitPerMinute: integer(
    'AUTH_RATE_LIMIT_PER_MINUTE',
    6000,
    { min: 10, max: 10_000_000 },
    'Requests per minute and caller',
  ),
  bodyLimitBytes: integer(
    'MILLRACE_BODY_LIMIT_BYTES',
    10 * 1024 * 1024,
    { min: 1024, max: 1024 ** 3 },
    'Largest request body',
  ),

  redisUrl: secret(
    'REDIS_URL',
    'Redis for source events and publishing, such as redis://127.0.0.1:6379',
  ),
  redisStreamMaxLength: integer(
    'REDIS_STREAM_MAX_LENGTH',
    100_000,
    { min: 100, max: 100_000_000 },
    'About how many source events the stream keeps',
  ),
  redisClaimIdleMs: integer(
    'REDIS_CLAIM_IDLE_MS',
    30_000,
    { min: 100, max: 3_600_000 },
    'After this silence another consumer takes over what one has read and not finished',
  ),
  sourceEventDays: integer(
    'CRAWLER_SOURCE_EVENT_DAYS',
    7,
    { min: 1, max: 3650 },
    'How long source events that took effect stay in the event log',
  ),
  autoManageNewSources: flag('AUTO_MANAGE_NEW_SOURCES', true, 'Give every new source its own job'),

  allowPrivateNetworks: flag(
    'CRAWLER_ALLOW_PRIVATE_NETWORKS',
    false,
    'Let fetches reach private and loopback addresses',
  ),
  respectRobots: flag('CRAWLER_RESPECT_ROBOTS_TXT', true, 'Keep to robots.txt'),
  userAgent: text(
    'CRAWLER_USER_AGENT',
    'Millrace/0.1 (+https://github.com/millrace/millrace)',
    'How the crawler introduces itself; keep a contact URL in it',
  ),
  useRandomUserAgent: flag(
    'CRAWLER_USE_RANDOM_USER_AGENT',
    false,
    'Rotate browser-like user agents',
  ),
  proxiesEnabled: flag(
    'CRAWLER_PROXIES_ENABLED',
    false,
    'Send fetches through the proxies in turn',
  ),
  proxyUrls: words('CRAWLER_PROXY_URLS', 'HTTP or SOCKS5 proxies, separated by commas'),
  scrapingApiUrl: secret(
    'FETCHER_SCRAPING_API_URL',
    'Scraping service of last resort: its address, with its key, and {url} where the page goes',
  ),
  chromiumPath: optional(
    'FETCHER_CHROMIUM_PATH',
    'Chromium that renders pages; looked for in the usual places when unset',
  ),
  browserPages: integer(
    'FETCHER_BROWSER_PAGES',
    3,
    { min: 0, max: 64 },
    'Pages rendered at once; 0 renders none',
  ),
  s3Endpoint: optional(
    'S3_ENDPOINT',
    'S3-compatible store for page bodies, with its bucket: https://s3.example.com/bucket',
  ),
  s3Region: text('S3_REGION', 'auto', 'Region of that store'),
  s3AccessKeyId: secret('S3_ACCESS_KEY_ID', 'Key of that store'),
  s3SecretAccessKey: secret('S3_SECRET_ACCESS_KEY', 'Secret of that store'),
  archiveDays: integer(
    'CRAWLER_ARCHIVE_DAYS',
    30,
    { min: 0, max: 36_500 },
    'How long page bodies are kept after they were last seen; 0 keeps them for ever',
  ),
  pageDays: integer(
    'CRAWLER_PAGE_DAYS',
    90,
    { min: 1, max: 36_500 },
    'How long the record of a fetch is kept',
  ),
  feedDiscoveryEnabled: flag('CRAWLER_FEED_DISCOVERY_ENABLED', true, 'Look for feeds of a source'),
  feedPollEnabled: flag('CRAWLER_FEED_POLL_ENABLED', true, 'Poll the feeds that were found'),
  readabilityFallbackEnabled: flag(
    'CRAWLER_READABILITY_FALLBACK_ENABLED',
    true,
    'Read the article text when no structured data is found',
  ),
  followRedirects: flag('FETCHER_FOLLOW_REDIRECTS', true, 'Follow HTTP redirects'),
  maxRedirects: integer(
    'FETCHER_MAX_REDIRECTS',
    5,
    { min: 0, max: 20 },
    'Redirect hops before giving up',
  ),
  fetchTimeoutMs: integer(
    'FETCHER_TIMEOUT_MS',
    30_000,
    { min: 100, max: 600_000 },
    'Total time of one fetch',
  ),
  maxBodyBytes: integer(
    'FETCHER_MAX_BODY_BYTES',
    10 * 1024 * 1024,
    { min: 1024, max: 1024 ** 3 },
    'Largest page, counted after decompression',
  ),
  minDelayMs: integer(
    'CRAWLER_MIN_DELAY_MS',
    100,
    { min: 0, max: 3_600_000 },
    'Least pause between two requests to one host',
  ),

  maxPagesPerRun: integer(
    'CRAWLER_MAX_PAGES_PER_RUN',
    2000,
    { min: 1, max: 1_000_000 },
    'Pages one run fetches at most; the rest waits for the next run',
  ),
  fetchConcurrency: integer(
    'FETCHER_CONCURRENCY',
    8,
    { min: 1, max: 256 },
    'Fetches of one run at once; politeness decides how many really go',
  ),
  parseThreads: integer(
    'CRAWLER_PARSE_THREADS',
    0,
    { min: 0, max: 64 },
    'Threads that read pages; 0 takes one less than there are cores, of two both',
  ),
  dailyRoundCron: optional(
    'CRAWLER_DAILY_ROUND_CRON',
    'When to crawl all healthy sources once, as in crontab (UTC), such as 0 6 * * *',
  ),
  pipelineEventsPerSecond: integer(
    'PIPELINE_EVENTS_PER_SECOND',
    1000,
    { min: 1, max: 1_000_000 },
    'Stage events per second that other services may report',
  ),
  pipelineRetentionMonths: integer(
    'PIPELINE_RETENTION_MONTHS',
    6,
    { min: 1, max: 120 },
    'Months of stage events to keep; their sums stay',
  ),
  searchUrl: optional(
    'SEARCH_API_URL',
    'Search service that speaks like serper.dev, for finding new sources',
  ),
  searchApiKey: secret('SEARCH_API_KEY', 'Key of that service'),
  discoveryCron: text(
    'DISCOVERY_CRON',
    '0 3 * * 0',
    'When to look for new sources, as in crontab (UTC); only with a search service',
  ),
  discoveryCountry: text('DISCOVERY_COUNTRY', 'NL', 'Whose cities the weekly search is about'),
  discoveryPlacesPerWeek: integer(
    'DISCOVERY_PLACES_PER_WEEK',
    25,
    { min: 1, max: 1000 },
    'Cities searched each week, five searches each',
  ),
  calendarVanishAfterRuns: integer(
    'CALENDAR_VANISH_AFTER_RUNS',
    2,
    { min: 1, max: 100 },
    'Healthy runs an event or article must be missing from before it counts as vanished',
  ),
  rawItemDays: integer(
    'RAW_ITEM_DAYS',
    90,
    { min: 1, max: 3650 },
    'Days to keep raw items and where they ended; the items themselves stay',
  ),
  elasticsearchUrl: optional(
    'ELASTICSEARCH_URL',
    'Elasticsearch or OpenSearch that keeps a copy of every item; user and password may stand in it',
  ),
  geocoderUrl: optional(
    'GEOCODER_URL',
    'Nominatim-compatible geocoder; without it the offline gazetteer decides',
  ),
  geocoderMinDelayMs: integer(
    'GEOCODER_MIN_DELAY_MS',
    1000,
    { min: 0, max: 3_600_000 },
    'Pause between two questions to the geocoder, by all processes together',
  ),
  aiBaseUrl: optional('AI_BASE_URL', 'OpenAI-compatible endpoint for enrichment; optional'),
  aiApiKey: secret('AI_API_KEY', 'Key of that endpoint'),
  aiModel: optional('AI_MODEL', 'Model to ask'),
  aiBudgetPerDay: integer(
    'AI_BUDGET_PER_DAY',
    1000,
    { min: 0, max: 10_000_000 },
    'Items per day that may be enriched',
  ),
  embeddingsModel: optional(
    'EMBEDDINGS_MODEL',
    'Model for text vectors at the same endpoint; without it local vectors find duplicates',
  ),
  notifySlackUrl: secret(
    'NOTIFY_SLACK_WEBHOOK_URL',
    'Incoming webhook of Slack, or one that takes the same, for alerts and summaries',
  ),
  notifyWebhookUrl: secret('NOTIFY_WEBHOOK_URL', 'Address that gets alerts and summaries as JSON'),
  notifyWebhookSecret: secret(
    'NOTIFY_WEBHOOK_SECRET',
    'Signs those messages as in standard webhooks; base64, whsec_ in front or not',
  ),
  demoPort: integer(
    'MILLRACE_DEMO_PORT',
    8100,
    { min: 0, max: 65_000 },
    'First port of the demo web; 0 takes free ones',
  ),
  workerConcurrency: integer(
    'CRAWLER_WORKER_CONCURRENCY',
    8,
    { min: 1, max: 1000 },
    'Runs one worker process works on at once',
  ),
  leaseSeconds: integer(
    'CRAWLER_LEASE_SECONDS',
    15,
    { min: 1, max: 3600 },
    'After this silence a worker counts as dead and its runs move on',
  ),
  maxRunMinutes: integer(
    'CRAWLER_MAX_RUN_MINUTES',
    120,
    { min: 1, max: 10_080 },
    'A run that takes longer is stopped and counts as failed',
  ),
  maxCrawlsAtOnce: integer(
    'CRAWLER_MAX_CRAWLS_AT_ONCE',
    20,
    { min: 1, max: 1_000_000 },
    'One-off crawls of one caller that may wait or run at once',
  ),
  maxCrawlsPerDay: integer(
    'CRAWLER_MAX_CRAWLS_PER_DAY',
    500,
    { min: 1, max: 100_000_000 },
    'One-off crawls one caller may ask for in a day (UTC)',
  ),
  schedulerPollMs: integer(
    'CRAWLER_SCHEDULER_POLL_MS',
    1000,
    { min: 50, max: 60_000 },
    'Longest pause between two looks at due jobs',
  ),
  autoDisableDays: integer(
    'CRAWLER_AUTO_DISABLE_DAYS',
    14,
    { min: 0, max: 365 },
    'Days without a good run after which a source is switched off; 0 never does it',
  ),
  reconcileMinutes: integer(
    'CRAWLER_RECONCILE_MINUTES',
    5,
    { min: 1, max: 1440 },
    'How often sources and jobs are compared',
  ),
}
