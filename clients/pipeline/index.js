import pipeline from './index.cjs'

export const { createPipelineClient, idempotencyKey } = pipeline
