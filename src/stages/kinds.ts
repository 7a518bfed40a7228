export const stageNames = ['crawled', 'indexed', 'classified', 'routed', 'published'] as const
export type StageName = (typeof stageNames)[number]

/** The number of a stage in tables: its place in the pipeline, from 1. */
export function stageNumber(stage: StageName): number {
  return stageNames.indexOf(stage) + 1
}

export function stageOfNumber(number: number): StageName {
  const stage = stageNames[number - 1]
  if (stage === undefined) throw new RangeError(`there is no stage ${number}`)
  return stage
}

export function isStage(text: string): text is StageName {
  return (stageNames as readonly string[]).includes(text)
}

/** Distinct articles are kept per lane: the five stages, and the first classifications alone. */
export const initialLane = 6

/** What a tally counts. 1 to 5 are the events of a stage. */
export const kinds = {
  crawled: 1,
  indexed: 2,
  classified: 3,
  routed: 4,
  published: 5,
  reclassified: 6,
  /** Classified events of a model version; the next two hold the model too. */
  model: 10,
  /** value: the score in hundredths. */
  quality: 11,
  /** value: name of the topic. */
  topic: 12,
  /** value: name of the channel something was published on. */
  channel: 13,
  /** value: tenths of a minute between the first events of two stages, counted where the later one happened. */
  crawlToClassify: 20,
  classifyToPublish: 21,
  crawlToPublish: 22,
} as const

/** Kinds kept per hour for each source too; the rest of a source's figures are kept per day. */
export const lastHourlyPerSource = kinds.reclassified

export const hourMs = 3_600_000
export const dayMs = 24 * hourMs
/** "Not seen since": later than any hour. */
export const never = 2_147_483_647

export function hourOf(time: Date | number): number {
  return Math.floor((typeof time === 'number' ? time : time.getTime()) / hourMs)
}
