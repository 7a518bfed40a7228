#!/usr/bin/env node
import pc from 'picocolors'
import { runCommand } from './cli/commands.ts'
import { Stop } from './kernel/errors.ts'

try {
  await runCommand(process.argv)
} catch (error) {
  if (!(error instanceof Stop)) throw error
  console.error(`${pc.red('Millrace cannot go on.')} ${error.message}`)
  process.exitCode = 1
}
