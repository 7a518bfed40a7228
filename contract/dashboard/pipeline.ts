export type Period = 'today' | '24h' | '7d' | '30d'

export interface FunnelStage {
  name: string
  /** All stage events, repeats included. */
  count: number
  /** Distinct addresses: what the funnel shows. */
  unique_articles: number
  /** Why addresses did not go on from here. */
  drops?: Record<string, number>
}

export interface Funnel {
  period: string
  timezone: string
  from: string
  to: string
  stages: FunnelStage[]
  /** Usual places of feeds and agendas that sites do not have; they count as no drops. */
  guesses_missed?: number
  generated_at: string
}

/** One thing that a drop of the funnel counts. */
export interface DroppedItem {
  id: string
  url: string | null
  title: string | null
  source_id: string
  item_id: string | null
  detail: string | null
  at: string
}

export interface PipelineStats {
  period: string
  from: string
  to: string
  crawl: {
    total_crawled: number
    unique_urls: number
    duplicates: number
    by_source: Record<string, number>
  }
  classification: {
    total_classified: number
    unique_articles: number
    reclassifications: number
    avg_quality_score: number | null
    median_quality_score: number | null
    by_model_version: Record<string, number>
    by_topic: Record<string, number>
  }
  publishing: {
    total_routed: number
    total_published: number
    failed_publishes: number
    by_channel: Record<string, number>
  }
  throughput: {
    median_crawl_to_classify_mins: number | null
    avg_crawl_to_classify_mins: number | null
    median_classify_to_publish_mins: number | null
    avg_classify_to_publish_mins: number | null
    median_end_to_end_mins: number | null
    avg_end_to_end_mins: number | null
  }
  generated_at: string
}

export interface JourneyStep {
  stage: string
  at: string | null
  outcome?: string
  reason?: string | null
  detail?: string | null
}

export interface Journey {
  found?: boolean
  url?: string | null
  title?: string | null
  /** The answer to "why is this missing?", in words. */
  verdict?: string | null
  conclusion?: { code: string; stage: string | null; reason: string | null }
  steps?: JourneyStep[]
  /** Other addresses the same words fit. */
  alternatives?: { url: string; title: string | null }[]
}

export interface StageEvent {
  id: string
  article_url: string
  source_name: string | null
  stage: string
  service_name: string
  occurred_at: string
}

export interface FunnelSeries {
  bucket: 'hour' | 'day'
  buckets: { from: string; to: string; stages: { name: string; unique_articles: number }[] }[]
}
