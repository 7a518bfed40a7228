import type { RuleFields, RuleRow } from '../../../../contract/dashboard/publish.ts'
import { join, split } from './route-form.ts'

/** What the form holds; keywords one on each line with the weight behind. */
export interface RuleForm {
  name: string
  topic: string
  keywords: string
  priority: string
  minConfidence: string
  languages: string
  enabled: boolean
}

export function ruleFormOf(rule: RuleRow | null): RuleForm {
  return {
    name: rule?.name ?? '',
    topic: rule?.topic ?? '',
    keywords: (rule?.keywords ?? [])
      .map(({ term, weight }) => (weight === 1 ? term : `${term} ${weight}`))
      .join('\n'),
    priority: String(rule?.priority ?? 0),
    minConfidence: String(rule?.min_confidence ?? 0.5),
    languages: join(rule?.languages),
    enabled: rule?.enabled ?? true,
  }
}

export function ruleOf(form: RuleForm): RuleFields {
  return {
    name: form.name.trim() || form.topic.trim(),
    topic: form.topic.trim(),
    keywords: form.keywords
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '')
      .map(keywordOf),
    priority: Number(form.priority),
    min_confidence: Number(form.minConfidence),
    languages: split(form.languages),
    enabled: form.enabled,
  }
}

function keywordOf(line: string): { term: string; weight: number } {
  const [, term, weight] = /^(.+?)\s+(-?\d+(?:\.\d+)?)$/.exec(line) ?? []
  return term === undefined ? { term: line, weight: 1 } : { term, weight: Number(weight) }
}
