import type { ESTree } from 'meriyah'
import type { JsonObject } from './state.ts'

/** A value the page's script would only know while it runs. */
export const UNKNOWN: unique symbol = Symbol('unknown')

export interface Scope {
  names: Map<string, unknown>
  outer: Scope | null
}

/** A function of the script, kept as its source tree; only the evaluator calls it. */
export class StaticFunction {
  node: ESTree.FunctionExpression | ESTree.FunctionDeclaration | ESTree.ArrowFunctionExpression
  scope: Scope | null

  constructor(node: StaticFunction['node'], scope: Scope | null) {
    this.node = node
    this.scope = scope
  }
}

/** A native function we know the effect of, by its dotted name. */
export class KnownFunction {
  name: string

  constructor(name: string) {
    this.name = name
  }
}

export function isPlainObject(value: unknown): value is JsonObject {
  return (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    !(value instanceof StaticFunction) &&
    !(value instanceof KnownFunction)
  )
}

/** What may be stored in state: functions and unknown values become null. */
export function storable(value: unknown): unknown {
  if (value === UNKNOWN || value === undefined) return null
  return value instanceof StaticFunction || value instanceof KnownFunction ? null : value
}

export function setProperty(target: JsonObject, key: string, value: unknown): void {
  if (key !== '__proto__' && key !== 'constructor' && key !== 'prototype')
    target[key] = storable(value)
}
