import { useTexts } from '../../texts/index.ts'

interface StageWords {
  nameOf(stage: string): string
  wordsFor(reason: string): string
}

/** Stages and reasons as people say them; those of other services as they wrote them. */
export function useStageWords(): StageWords {
  const t = useTexts()
  return {
    nameOf: (stage) => t.value.pipeline.stages[stage] ?? stage,
    wordsFor: (reason) =>
      t.value.pipeline.reasons[reason] ?? t.value.failures[reason] ?? reason.replaceAll('_', ' '),
  }
}
