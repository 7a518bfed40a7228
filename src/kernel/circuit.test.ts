import { expect, test } from 'vitest'
import { createCircuit } from './circuit.ts'

test('it opens after the failures, probes after the cooldown, and closes after the successes', () => {
  let time = 0
  const circuit = createCircuit({ failures: 3, cooldownMs: 1000, successes: 2, now: () => time })
  circuit.failed()
  circuit.failed()
  circuit.succeeded()
  circuit.failed()
  circuit.failed()
  expect(circuit.state).toBe('closed')
  circuit.failed()
  expect(circuit.allows()).toBe(false)
  time = 1000
  expect(circuit.allows()).toBe(true)
  expect(circuit.state).toBe('half_open')
  circuit.failed()
  expect(circuit.allows()).toBe(false)
  time = 2000
  expect(circuit.allows()).toBe(true)
  circuit.succeeded()
  circuit.succeeded()
  expect(circuit.state).toBe('closed')
})
