import type { Container } from './containers.ts'

/** Marks a container as the title's, and all above it with their steps up from it. */
export function markTitle(container: Container | null): void {
  let steps = 0
  for (let at = container; at !== null; at = at.parent) at.aboveTitle = steps++
}

/** The first container on the way up to the title's branch; null on a page without a title. */
export function meetingTitle(container: Container): Container | null {
  for (let at: Container | null = container; at !== null; at = at.parent)
    if (at.aboveTitle >= 0) return at
  return null
}

export function ancestor(container: Container, steps: number): Container {
  let at = container
  for (let i = 0; i < steps && at.parent !== null; i++) at = at.parent
  return at
}
