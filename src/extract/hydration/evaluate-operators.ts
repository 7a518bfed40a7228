import type { ESTree } from 'meriyah'
import { UNKNOWN } from './evaluate-values.ts'

const MAX_TEXT = 5_000_000

/** Unary, binary and logical operators over plain values; anything else is unknown. */
export function evaluateOperator(
  node: ESTree.Node,
  evaluate: (part: ESTree.Node) => unknown,
): unknown {
  if (node.type === 'UnaryExpression') return unary(node.operator, evaluate(node.argument))
  if (node.type === 'LogicalExpression') return logical(node, evaluate)
  if (node.type === 'BinaryExpression')
    return binary(node.operator, evaluate(node.left), evaluate(node.right))
  return UNKNOWN
}

function unary(operator: string, value: unknown): unknown {
  if (operator === 'void') return undefined
  if (operator === '!') return value === UNKNOWN ? UNKNOWN : !value
  if (operator === '-') return typeof value === 'number' ? -value : UNKNOWN
  if (operator === '+') return typeof value === 'number' ? value : UNKNOWN
  return UNKNOWN
}

function logical(
  node: ESTree.LogicalExpression,
  evaluate: (part: ESTree.Node) => unknown,
): unknown {
  const left = evaluate(node.left)
  // `window.x || {}`: what is written is the best guess for what is not known.
  if (left === UNKNOWN) return evaluate(node.right)
  if (node.operator === '&&') return left ? evaluate(node.right) : left
  if (node.operator === '||') return left ? left : evaluate(node.right)
  return left ?? evaluate(node.right)
}

function binary(operator: string, left: unknown, right: unknown): unknown {
  if (operator === '+') {
    if (typeof left === 'number' && typeof right === 'number') return left + right
    if (isText(left) && isText(right)) {
      const text = `${left}${right}`
      return text.length > MAX_TEXT ? UNKNOWN : text
    }
    return UNKNOWN
  }
  if (operator === '===' || operator === '==')
    return left === UNKNOWN || right === UNKNOWN ? UNKNOWN : left === right
  if (operator === '!==' || operator === '!=')
    return left === UNKNOWN || right === UNKNOWN ? UNKNOWN : left !== right
  if (typeof left !== 'number' || typeof right !== 'number') return UNKNOWN
  if (operator === '-') return left - right
  if (operator === '*') return left * right
  if (operator === '/') return left / right
  return UNKNOWN
}

function isText(value: unknown): value is string | number {
  return typeof value === 'string' || typeof value === 'number'
}
