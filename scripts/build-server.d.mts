export const serverProgram: string
export function isServerBuilt(): boolean
export function buildServer(): number
export function provideServer(): Promise<boolean>
export function isNewerThan(output: string, inputs: readonly string[]): boolean
