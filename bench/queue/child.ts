import { spawn } from 'node:child_process'
import type { Command, Report } from './contender.ts'

export interface Child {
  /** Sends a command and waits for its answer. */
  ask(command: Command): Promise<void>
  /** Jobs done since it started to work. */
  count(): number
  /** Stops its work and gives the latencies it saw. */
  halt(): Promise<number[]>
  end(): Promise<void>
}

export async function startChild(program: string, args: string[]): Promise<Child> {
  const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
  let jobs = 0
  let latencies: number[] = []
  let settle: { done: () => void; fail: (error: Error) => void } | null = null
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  void exited.then(() => settle?.fail(new Error(`${args.join(' ')} ended early`)))

  child.on('message', (report: Report) => {
    if (report.is === 'count') jobs = report.jobs
    else if (report.is === 'failed') settle?.fail(new Error(report.reason))
    else {
      if (report.is === 'latencies') latencies = report.ms
      settle?.done()
    }
  })
  await new Promise<void>((resolve) => child.once('spawn', () => resolve()))
  const ask = async (command: Command): Promise<void> => {
    await new Promise<void>((done, fail) => {
      settle = { done, fail }
      child.send(command)
    })
    settle = null
  }
  return {
    ask,
    count: () => jobs,
    halt: async () => {
      await ask({ do: 'halt' })
      jobs = 0
      return latencies
    },
    end: async () => {
      child.send({ do: 'end' } satisfies Command)
      const timer = setTimeout(() => child.kill('SIGKILL'), 15_000)
      await exited
      clearTimeout(timer)
    },
  }
}
