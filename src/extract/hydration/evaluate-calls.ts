import type { ESTree } from 'meriyah'
import { callKnown, callMethod } from './evaluate-known.ts'
import { Returned } from './evaluate-returned.ts'
import type { Machine } from './evaluate.ts'
import {
  isPlainObject,
  KnownFunction,
  StaticFunction,
  UNKNOWN,
  type Scope,
} from './evaluate-values.ts'

const MAX_CALL_DEPTH = 25
const MAX_CALLBACKS = 200
const MAX_RECORDED = 500
// Streams are filled with `enqueue`, queues with `push`; both are lists in the order of the page.
const APPENDING = new Set(['push', 'enqueue'])

export interface Calls {
  call(node: ESTree.CallExpression, scope: Scope | null): unknown
  construct(node: ESTree.NewExpression, scope: Scope | null): unknown
}

/** Calls of functions written in the page, of natives we know, and of everything else (which only records its arguments). */
export function createCalls(machine: Machine): Calls {
  let depth = 0
  let callbacks = 0

  return {
    call(node, scope) {
      const callee: ESTree.Node = node.callee
      if (callee.type === 'MemberExpression') return callMember(callee, node.arguments, scope)
      return invoke(
        machine.evaluate(callee, scope),
        nameOf(callee),
        argumentsOf(node.arguments, scope),
      )
    },
    construct(node, scope) {
      const callee: ESTree.Node = node.callee
      const args = argumentsOf(node.arguments, scope)
      return callee.type === 'Identifier' ? callKnown(callee.name, args) : UNKNOWN
    },
  }

  function callMember(
    callee: ESTree.MemberExpression,
    nodes: readonly ESTree.Node[],
    scope: Scope | null,
  ): unknown {
    const method =
      !callee.computed && callee.property.type === 'Identifier' ? callee.property.name : ''
    let target = machine.evaluate(callee.object, scope)
    const args = argumentsOf(nodes, scope)
    if (APPENDING.has(method)) {
      if (!Array.isArray(target) && isMissing(target) && isAssignable(callee.object)) {
        target = []
        machine.assign(callee.object, target, scope)
      }
      if (Array.isArray(target)) return callMethod(target, 'push', args)
    }
    if (target instanceof StaticFunction && (method === 'call' || method === 'apply')) {
      const [, ...rest] = args
      return invoke(target, '', method === 'call' ? rest : Array.isArray(rest[0]) ? rest[0] : [])
    }
    if (Array.isArray(target) || typeof target === 'string') return callMethod(target, method, args)
    if (target === machine.globals) return invoke(machine.evaluate(callee, scope), method, args)
    const known =
      target instanceof KnownFunction ? new KnownFunction(`${target.name}.${method}`) : UNKNOWN
    return invoke(known, nameOf(callee), args)
  }

  function invoke(target: unknown, name: string, args: readonly unknown[]): unknown {
    if (target instanceof StaticFunction) return callStatic(target, args)
    if (target instanceof KnownFunction) {
      const result = callKnown(target.name, args)
      if (result !== UNKNOWN) return result
    }
    for (const value of args) {
      if (value instanceof StaticFunction) {
        if (callbacks++ < MAX_CALLBACKS) callStatic(value, [])
      } else if (
        (isPlainObject(value) || Array.isArray(value)) &&
        machine.calls.length < MAX_RECORDED
      ) {
        machine.calls.push({ name, data: value })
      }
    }
    return UNKNOWN
  }

  function callStatic(target: StaticFunction, args: readonly unknown[]): unknown {
    if (depth >= MAX_CALL_DEPTH) return UNKNOWN
    const { node } = target
    const scope: Scope = { names: new Map(), outer: target.scope }
    for (const [i, param] of (node.params as readonly ESTree.Node[]).entries())
      bindParam(param, i, args, scope)
    depth++
    try {
      const body: ESTree.Node | null | undefined = node.body
      if (!body) return undefined
      if (body.type !== 'BlockStatement') return machine.evaluate(body, scope)
      const result = machine.runBody(body.body, scope)
      return result instanceof Returned ? result.value : undefined
    } finally {
      depth--
    }
  }

  function bindParam(param: ESTree.Node, i: number, args: readonly unknown[], scope: Scope): void {
    if (param.type === 'Identifier')
      scope.names.set(param.name, i < args.length ? args[i] : UNKNOWN)
    else if (param.type === 'RestElement' && param.argument.type === 'Identifier') {
      scope.names.set(param.argument.name, args.slice(i))
    } else if (param.type === 'AssignmentPattern' && param.left.type === 'Identifier') {
      const given = args[i]
      scope.names.set(
        param.left.name,
        given !== undefined || !param.right ? given : machine.evaluate(param.right, scope),
      )
    }
  }

  function argumentsOf(nodes: readonly ESTree.Node[], scope: Scope | null): unknown[] {
    const args: unknown[] = []
    for (const node of nodes) {
      if (node.type !== 'SpreadElement') args.push(machine.evaluate(node, scope))
      else {
        const spread = machine.evaluate(node.argument, scope)
        if (Array.isArray(spread)) for (const value of spread.slice(0, 10_000)) args.push(value)
      }
    }
    return args
  }
}

function isMissing(value: unknown): boolean {
  return value === UNKNOWN || value === undefined || value === null
}

function isAssignable(node: ESTree.Node): boolean {
  return node.type === 'Identifier' || node.type === 'MemberExpression'
}

function nameOf(node: ESTree.Node): string {
  if (node.type === 'Identifier') return node.name
  if (node.type !== 'MemberExpression' || node.property.type !== 'Identifier') return ''
  const object = nameOf(node.object)
  return object === '' ? node.property.name : `${object}.${node.property.name}`
}
