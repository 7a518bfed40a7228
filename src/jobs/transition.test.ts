import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  allowedActions,
  controlActions,
  jobStatuses,
  statesBefore,
  transition,
  type ControlAction,
  type JobAction,
  type JobFacts,
} from './transition.ts'

const systemActions: JobAction[] = [
  'schedule',
  'dispatch',
  'complete',
  'fail',
  'give-up',
  'hold',
  'enable',
]
const status = fc.constantFrom(...jobStatuses)
const action = fc.constantFrom<JobAction>(...controlActions, ...systemActions)

test.each<[ControlAction, string[]]>([
  ['pause', ['scheduled', 'running']],
  ['resume', ['paused']],
  ['cancel', ['pending', 'scheduled', 'running', 'paused']],
  ['retry', ['failed']],
  ['force-run', ['scheduled']],
])('%s is legal only from %j', (given, from) => {
  expect(statesBefore(given)).toEqual(from)
})

test('a refused action names the reason and what is allowed instead', () => {
  expect(transition({ status: 'completed', recurring: false }, 'pause')).toEqual({
    ok: false,
    reason: 'a completed job cannot be paused',
    allowed: ['override', 'delete'],
  })
})

test('a recurring job goes back to its schedule after success and after failure', () => {
  const job: JobFacts = { status: 'running', recurring: true }
  expect(transition(job, 'complete')).toEqual({ ok: true, status: 'scheduled' })
  expect(transition(job, 'fail')).toEqual({ ok: true, status: 'scheduled' })
  expect(transition(job, 'give-up')).toEqual({ ok: true, status: 'failed' })
})

test('a one-time job ends completed or failed', () => {
  const job: JobFacts = { status: 'running', recurring: false }
  expect(transition(job, 'complete')).toEqual({ ok: true, status: 'completed' })
  expect(transition(job, 'fail')).toEqual({ ok: true, status: 'failed' })
})

test('a cancelled job never runs again unless its source is enabled anew', () => {
  const legal = [...controlActions, ...systemActions].filter(
    (given) => transition({ status: 'cancelled', recurring: true }, given).ok,
  )
  expect(legal).toEqual(['delete', 'enable'])
})

test('transition, allowed actions and starting states never disagree', () => {
  fc.assert(
    fc.property(status, fc.boolean(), action, (from, recurring, given) => {
      const result = transition({ status: from, recurring }, given)
      expect(result.ok).toBe(statesBefore(given).includes(from))
      const control = controlActions.find((known) => known === given)
      const listed = control === undefined ? result.ok : allowedActions(from).includes(control)
      expect(listed).toBe(result.ok)
      expect(jobStatuses).toContain(result.ok ? result.status : from)
    }),
    { seed: 4 },
  )
})

test('no sequence of actions runs a job that was not dispatched or forced', () => {
  fc.assert(
    fc.property(fc.array(action, { maxLength: 30 }), fc.boolean(), (actions, recurring) => {
      let current: JobFacts = { status: 'pending', recurring }
      for (const given of actions) {
        const result = transition(current, given)
        if (!result.ok) continue
        const started = result.status === 'running' && current.status !== 'running'
        expect(started && !['dispatch', 'force-run'].includes(given)).toBe(false)
        current = { status: result.status, recurring }
      }
    }),
    { seed: 4 },
  )
})
