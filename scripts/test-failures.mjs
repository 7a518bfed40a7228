import { writeFileSync } from 'node:fs'
import { relative } from 'node:path'

const linesPerFailure = 15

/**
 * A reporter for the test runner that writes what failed, in short, to the file named in MILLRACE_TEST_FAILURES: tests,
 * files that could not be loaded, and errors outside of any test.
 */
export default class FailuresReporter {
  onTestRunEnd(modules, unhandled) {
    const failures = [
      ...modules.flatMap(failuresIn),
      ...unhandled.map((error) => entry('outside of any test', [error])),
    ]
    writeFileSync(process.env['MILLRACE_TEST_FAILURES'], failures.join('\n'))
  }
}

function failuresIn(module) {
  const path = relative(process.cwd(), module.moduleId)
  const failures = [...module.children.allTests('failed')].map((test) =>
    entry(`${path} > ${test.fullName}`, test.result().errors),
  )
  const groups = [module, ...module.children.allSuites()].filter((group) => group.errors().length)
  return [...failures, ...groups.map((group) => entry(path, group.errors()))]
}

function entry(title, errors) {
  const lines = errors.flatMap((error) =>
    `${error.stack ?? error.message}\n${error.diff ?? ''}`.split('\n'),
  )
  const telling = lines.filter((line) => line.trim() && !line.includes('/node_modules/'))
  return [`  ✗ ${title}`, ...telling.slice(0, linesPerFailure).map((line) => `      ${line}`)].join(
    '\n',
  )
}
