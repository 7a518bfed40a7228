import { parse, type ESTree } from 'meriyah'
import { createCalls } from './evaluate-calls.ts'
import { isKnownName } from './evaluate-known.ts'
import { evaluateOperator } from './evaluate-operators.ts'
import { Returned } from './evaluate-returned.ts'
import {
  isPlainObject,
  KnownFunction,
  setProperty,
  StaticFunction,
  storable,
  UNKNOWN,
  type Scope,
} from './evaluate-values.ts'
import type { JsonObject } from './state.ts'

const MAX_STEPS = 3_000_000
const WINDOW_NAMES = new Set(['window', 'self', 'globalThis', 'top', 'parent', 'global', 'frames'])
const KNOWN_OBJECTS = new Set(['JSON', 'Object', 'Array', 'Promise'])

export interface Evaluator {
  /** Reads one script; false when it is no valid JavaScript. */
  run(source: string): boolean
  /** What the scripts so far left in global variables. */
  globals: JsonObject
  /** Objects handed to functions the page loads from elsewhere. */
  calls: { name: string; data: unknown }[]
}

/** The core the statement, call and operator parts share. */
export interface Machine {
  evaluate(node: ESTree.Node, scope: Scope | null): unknown
  runBody(statements: readonly ESTree.Node[], scope: Scope | null): unknown
  assign(target: ESTree.Node, value: unknown, scope: Scope | null): void
  globals: JsonObject
  calls: Evaluator['calls']
}

class OutOfSteps extends Error {}

/**
 * Computes the state literals of inline scripts from their syntax tree, without running anything: no
 * loops, no outside effects, a fixed number of steps for all scripts of a page together.
 */
export function createEvaluator(): Evaluator {
  const globals: JsonObject = {}
  const calls: Evaluator['calls'] = []
  const topLevel = new Map<string, unknown>()
  let steps = MAX_STEPS
  const machine: Machine = { evaluate, runBody, assign, globals, calls }
  const functions = createCalls(machine)

  return {
    globals,
    calls,
    run(source) {
      let program: ESTree.Program
      try {
        program = parse(source, {
          next: true,
          webcompat: true,
          impliedStrict: false,
          sourceType: 'script',
        })
      } catch {
        return false
      }
      try {
        runBody(program.body, null)
      } catch (error) {
        if (!(error instanceof OutOfSteps) && !(error instanceof RangeError)) throw error
      }
      return true
    },
  }

  function runBody(statements: readonly ESTree.Node[], scope: Scope | null): unknown {
    for (const node of statements) {
      if (node.type === 'FunctionDeclaration' && node.id)
        declare(node.id.name, new StaticFunction(node, scope), scope)
    }
    for (const node of statements) {
      const result = run(node, scope)
      if (result instanceof Returned) return scope === null ? undefined : result
    }
    return undefined
  }

  function run(node: ESTree.Node, scope: Scope | null): unknown {
    switch (node.type) {
      case 'ExpressionStatement':
        evaluate(node.expression, scope)
        return undefined
      case 'VariableDeclaration':
        for (const { id, init } of node.declarations) {
          if (init) bind(id, evaluate(init, scope), scope)
          else if (id.type === 'Identifier' && lookup(id.name, scope) === UNKNOWN)
            declare(id.name, undefined, scope)
        }
        return undefined
      case 'ReturnStatement':
        return new Returned(node.argument ? evaluate(node.argument, scope) : undefined)
      case 'BlockStatement':
        return runBody(node.body, scope)
      case 'IfStatement': {
        const test = evaluate(node.test, scope)
        const first = test === UNKNOWN || Boolean(test) ? run(node.consequent, scope) : undefined
        if (first instanceof Returned && test !== UNKNOWN) return first
        return node.alternate && (test === UNKNOWN || !test)
          ? run(node.alternate, scope)
          : undefined
      }
      case 'TryStatement':
        return runBody(node.block.body, scope)
      case 'LabeledStatement':
        return run(node.body, scope)
      default:
        return undefined
    }
  }

  function evaluate(node: ESTree.Node, scope: Scope | null): unknown {
    if (--steps < 0) throw new OutOfSteps()
    switch (node.type) {
      case 'Literal':
        return typeof node.value === 'bigint'
          ? String(node.value)
          : node.value instanceof RegExp
            ? null
            : node.value
      case 'TemplateLiteral':
        return evaluateTemplate(node, scope)
      case 'Identifier':
        return lookup(node.name, scope)
      case 'ObjectExpression':
        return evaluateObject(node, scope)
      case 'ArrayExpression':
        return evaluateArray(node, scope)
      case 'FunctionExpression':
      case 'ArrowFunctionExpression':
        return new StaticFunction(node, scope)
      case 'MemberExpression':
        return member(evaluate(node.object, scope), propertyName(node, scope))
      case 'ChainExpression':
      case 'ParenthesizedExpression':
        return evaluate(node.expression, scope)
      case 'AssignmentExpression':
        return evaluateAssignment(node, scope)
      case 'CallExpression':
        return functions.call(node, scope)
      case 'NewExpression':
        return functions.construct(node, scope)
      case 'SequenceExpression':
        return node.expressions.map((part) => evaluate(part, scope)).at(-1)
      case 'ConditionalExpression': {
        const test = evaluate(node.test, scope)
        return evaluate(test === UNKNOWN || Boolean(test) ? node.consequent : node.alternate, scope)
      }
      case 'AwaitExpression':
        return node.argument ? evaluate(node.argument, scope) : UNKNOWN
      case 'ThisExpression':
        return globals
      default:
        return evaluateOperator(node, (part) => evaluate(part, scope))
    }
  }

  function evaluateTemplate(node: ESTree.TemplateLiteral, scope: Scope | null): unknown {
    let text = ''
    for (const [i, quasi] of node.quasis.entries()) {
      text += quasi.value.cooked ?? ''
      const inner = node.expressions[i]
      if (inner === undefined) continue
      const value = evaluate(inner, scope)
      if (typeof value === 'string' || typeof value === 'number') text += String(value)
    }
    return text
  }

  function evaluateObject(node: ESTree.ObjectExpression, scope: Scope | null): JsonObject {
    const object: JsonObject = {}
    for (const property of node.properties as readonly ESTree.Node[]) {
      if (property.type === 'SpreadElement') {
        const spread = evaluate(property.argument, scope)
        if (isPlainObject(spread))
          for (const [key, value] of Object.entries(spread)) setProperty(object, key, value)
        steps -= isPlainObject(spread) ? Object.keys(spread).length : 0
      } else if (property.type === 'Property' && property.kind === 'init') {
        setProperty(object, propertyKey(property, scope), evaluate(property.value, scope))
      }
    }
    return object
  }

  function propertyKey(property: ESTree.Property, scope: Scope | null): string {
    const { key } = property
    if (!property.computed && key.type === 'Identifier') return key.name
    const value = evaluate(key, scope)
    return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
  }

  function evaluateArray(node: ESTree.ArrayExpression, scope: Scope | null): unknown[] {
    const array: unknown[] = []
    for (const element of node.elements as readonly (ESTree.Node | null)[]) {
      if (element === null) array.push(null)
      else if (element.type === 'SpreadElement') {
        const spread = evaluate(element.argument, scope)
        if (!Array.isArray(spread)) continue
        steps -= spread.length
        for (const value of spread) array.push(value)
      } else array.push(storable(evaluate(element, scope)))
      if (steps < 0) throw new OutOfSteps()
    }
    return array
  }

  function evaluateAssignment(node: ESTree.AssignmentExpression, scope: Scope | null): unknown {
    if (node.operator === '=') {
      const value = evaluate(node.right, scope)
      assign(node.left, value, scope)
      return value
    }
    const before = evaluate(node.left, scope)
    if (['||=', '??=', '&&='].includes(node.operator)) {
      if (isPlainObject(before) || Array.isArray(before)) return before
      const value = evaluate(node.right, scope)
      assign(node.left, value, scope)
      return value
    }
    if (node.operator !== '+=') return UNKNOWN
    const after = evaluate(node.right, scope)
    const sum =
      typeof before === 'string' && typeof after === 'string' && before.length < 5_000_000
        ? before + after
        : UNKNOWN
    assign(node.left, sum, scope)
    return sum
  }

  function assign(target: ESTree.Node, value: unknown, scope: Scope | null): void {
    if (target.type === 'Identifier') {
      for (let at = scope; at !== null; at = at.outer) {
        if (at.names.has(target.name)) {
          at.names.set(target.name, value)
          return
        }
      }
      declare(target.name, value, null)
    } else if (target.type === 'MemberExpression') {
      const name = propertyName(target, scope)
      const holder = ensureObject(target.object, scope)
      if (name === null || holder === null) return
      if (!Array.isArray(holder)) setProperty(holder, name, value)
      else if (/^\d{1,4}$/.test(name)) holder[Number(name)] = storable(value)
    } else bind(target, value, scope)
  }

  /** The object an assignment writes into; state scripts may add to globals that other scripts create. */
  function ensureObject(node: ESTree.Node, scope: Scope | null): JsonObject | unknown[] | null {
    const known = evaluate(node, scope)
    if (Array.isArray(known) || isPlainObject(known)) return known
    if (known !== UNKNOWN && known !== undefined && known !== null) return null
    if (node.type !== 'Identifier' && node.type !== 'MemberExpression') return null
    const made: JsonObject = {}
    assign(node, made, scope)
    return made
  }

  function bind(pattern: ESTree.Node, value: unknown, scope: Scope | null): void {
    if (pattern.type === 'Identifier') declare(pattern.name, value, scope)
    else if (pattern.type === 'AssignmentPattern') {
      bind(
        pattern.left,
        value === undefined && pattern.right ? evaluate(pattern.right, scope) : value,
        scope,
      )
    } else if (pattern.type === 'ArrayPattern') {
      const values: readonly unknown[] = Array.isArray(value) ? value : []
      for (const [i, part] of (pattern.elements as readonly (ESTree.Node | null)[]).entries()) {
        if (part !== null) bind(part, i < values.length ? values[i] : UNKNOWN, scope)
      }
    } else if (pattern.type === 'ObjectPattern') {
      for (const part of pattern.properties as readonly ESTree.Node[]) {
        if (part.type === 'Property')
          bind(part.value, member(value, propertyKey(part, scope)), scope)
      }
    }
  }

  function declare(name: string, value: unknown, scope: Scope | null): void {
    if (scope !== null) scope.names.set(name, value)
    else if (value instanceof StaticFunction) topLevel.set(name, value)
    else if (value === UNKNOWN) topLevel.set(name, UNKNOWN)
    else if (!WINDOW_NAMES.has(name)) setProperty(globals, name, value)
  }

  function lookup(name: string, scope: Scope | null): unknown {
    for (let at = scope; at !== null; at = at.outer)
      if (at.names.has(name)) return at.names.get(name)
    if (WINDOW_NAMES.has(name)) return globals
    if (name === 'undefined') return undefined
    if (Object.hasOwn(globals, name)) return globals[name]
    const known = topLevel.get(name)
    if (known !== undefined) return known
    return isKnownName(name) || KNOWN_OBJECTS.has(name) ? new KnownFunction(name) : UNKNOWN
  }

  function propertyName(node: ESTree.MemberExpression, scope: Scope | null): string | null {
    if (!node.computed) return node.property.type === 'Identifier' ? node.property.name : null
    const value = evaluate(node.property, scope)
    return typeof value === 'string' || typeof value === 'number' ? String(value) : null
  }

  function member(target: unknown, name: string | null): unknown {
    if (name === null || target === UNKNOWN) return UNKNOWN
    if (target === globals) return lookup(name, null)
    if (target instanceof KnownFunction) return new KnownFunction(`${target.name}.${name}`)
    if (Array.isArray(target))
      return name === 'length' ? target.length : /^\d+$/.test(name) ? target[Number(name)] : UNKNOWN
    return isPlainObject(target) && Object.hasOwn(target, name) ? target[name] : undefined
  }
}
