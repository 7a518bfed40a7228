#!/usr/bin/env node
import module from 'node:module'
import pc from 'picocolors'
import { Stop } from './kernel/errors.ts'

keepCompiledCode()
const { runCommand } = await import('./cli/commands.ts')
try {
  await runCommand(process.argv)
} catch (error) {
  if (!(error instanceof Stop)) throw error
  console.error(`${pc.red('Millrace cannot go on.')} ${error.message}`)
  process.exitCode = 1
}

/** Newer versions of Node keep compiled code between starts. */
function keepCompiledCode(): void {
  const { enableCompileCache } = module as { enableCompileCache?: () => unknown }
  enableCompileCache?.()
}
