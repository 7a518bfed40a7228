import { createHash } from 'node:crypto'
import type { Classification, ItemView } from '../types.ts'
import { contentTypeOf } from './content-type.ts'
import { qualityOf } from './quality.ts'
import { compileTopics, type TopicRule } from './topics.ts'

/** Rises when quality or content type are judged differently. */
const judgeVersion = 1

export interface Classifier {
  modelVersion: string
  classify(item: ItemView): Classification
}

export function createClassifier(rules: readonly TopicRule[]): Classifier {
  const topics = compileTopics(rules)
  const modelVersion = modelVersionOf(rules)
  return {
    modelVersion,
    classify: (item) => {
      const { quality, parts } = qualityOf(item)
      const { contentType, confidence } = contentTypeOf(item)
      const topicScores = topics.match(item)
      return {
        quality,
        parts,
        contentType,
        confidence,
        topics: topicScores.map(({ topic }) => topic),
        topicScores,
        modelVersion,
        contentHash: contentHashOf(item),
      }
    },
  }
}

/** The same rules give the same version, on every machine and after every detour. */
export function modelVersionOf(rules: readonly TopicRule[]): string {
  const told = rules
    .filter((rule) => rule.enabled)
    .map(({ topic, keywords, priority, minConfidence, languages }) =>
      JSON.stringify([
        topic,
        keywords.map(({ term, weight }) => `${term}\t${weight}`).toSorted(),
        priority,
        minConfidence,
        languages.toSorted(),
      ]),
    )
    .sort()
  return `v${judgeVersion}.${sha256(told.join('\n')).slice(0, 8)}`
}

export function contentHashOf(item: ItemView): string {
  return sha256(`${item.title}\n${item.description}\n${item.text}`)
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
