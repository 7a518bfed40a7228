import type { Container } from './containers.ts'

/** A container and all above it, each with its steps up from the container. */
export function branchOf(container: Container | null): Map<Container, number> {
  const branch = new Map<Container, number>()
  for (let at = container; at !== null; at = at.parent) branch.set(at, branch.size)
  return branch
}

/** Steps up to the first container on a branch, and from there down to the branch's end. */
export function pathTo(
  container: Container,
  branch: ReadonlyMap<Container, number>,
): { up: number; down: number } {
  if (branch.size === 0) return { up: 99, down: -1 }
  let up = 0
  for (let at: Container | null = container; at !== null; at = at.parent, up++) {
    const down = branch.get(at)
    if (down !== undefined) return { up, down }
  }
  return { up: 99, down: -1 }
}

export function ancestor(container: Container, steps: number): Container {
  let at = container
  for (let i = 0; i < steps && at.parent !== null; i++) at = at.parent
  return at
}
