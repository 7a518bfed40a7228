import type { StageName } from './kinds.ts'

export interface Outage {
  reason: string
  began_at: Date
  ended_at: Date | null
}

export interface ReconciledStage {
  stage: StageName
  pipeline: number
  source: number
  delta: number
  status: 'OK' | 'EXPECTED' | 'UNEXPECTED'
  outage: Outage | null
  table: string
  query: string
}

export interface StageReport {
  day: string
  stages: ReconciledStage[]
}

/** The report as the specification prints it, with a plan for what is not explained. */
export function formatReport(report: StageReport): string {
  const lines = report.stages.map((stage) => {
    const note = stage.outage === null ? '' : ` (${describeOutage(stage.outage)})`
    return [
      `  ${`${stage.stage}:`.padEnd(11)}`,
      `pipeline=${number(stage.pipeline)}`.padEnd(17),
      `source=${number(stage.source)}`.padEnd(15),
      `delta=${stage.delta}`.padEnd(12),
      stage.status + note,
    ].join(' ')
  })
  const gaps = report.stages.filter((stage) => stage.status === 'UNEXPECTED')
  const plan = gaps.flatMap((stage) => [
    `  ${stage.stage}: ${stage.query}`,
    `           → record what is missing with stage=${stage.stage}: millrace reconcile stages --day ${report.day} --replay`,
  ])
  return [
    `Reconciliation Report (${report.day})`,
    ...lines,
    ...(plan.length === 0 ? [] : ['', 'Replay plan for unexpected gaps:', ...plan]),
  ].join('\n')
}

function number(value: number): string {
  return value.toLocaleString('en-US')
}

function describeOutage(outage: Outage): string {
  const time = (at: Date): string => at.toISOString().slice(11, 16)
  return `${outage.reason} ${time(outage.began_at)}-${outage.ended_at === null ? 'now' : time(outage.ended_at)} UTC`
}
