// What a run of tests leaves for `.ci/run` to read: in the folder that TEST_REPORT names, a
// file for each run of vitest with a line of JSON for every test file that began or ended. Lines
// are appended at once, so that a run that hangs or dies has told how far it came.
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

/**
 * A test; or a group of tests, or a file (`name` is empty), with a hook that failed.
 *
 * @typedef {{ name: string, state: string, error: string | null }} Result
 * @typedef {{ file: string, results: Result[] | null }} FileResults
 * @typedef {FileResults & { variant: string }} Line
 * @typedef {{ file: string, variant: string } & Result} TestResult
 * @typedef {{ results: TestResult[], unfinished: string[] }} TestReport
 */

const folder = process.env.TEST_REPORT;

/** @type {import('vitest/node').Reporter} */
export const testReport = {
  onTestModuleStart(module) {
    write({ file: fileOf(module), results: null });
  },
  onTestModuleEnd(module) {
    const groups = [module, ...module.children.allSuites()];
    const broken = groups.filter((group) => group.errors().length > 0);
    const tests = [...module.children.allTests()];
    write({
      file: fileOf(module),
      results: [
        ...broken.map((group) => resultOf(nameOf(group), 'failed', group.errors())),
        ...tests.map((test) => {
          const { state, errors = [] } = test.result();
          return resultOf(test.fullName, state, errors);
        }),
      ],
    });
  },
  onTestRunEnd(_modules, unhandledErrors) {
    for (const error of unhandledErrors) {
      const path = 'VITEST_TEST_PATH' in error ? String(error.VITEST_TEST_PATH) : null;
      const file = path === null ? '' : relative(process.cwd(), path);
      write({ file, results: [resultOf('outside of a test', 'failed', [error])] });
    }
  },
};

/** @returns {TestReport} */
export function readTestReport(/** @type {string} */ path) {
  /** @type {Line[]} */
  const lines = (existsSync(path) ? readdirSync(path) : [])
    .sort()
    .flatMap((name) => readFileSync(join(path, name), 'utf8').trim().split('\n'))
    .map((line) => JSON.parse(line));
  const ended = new Set(lines.flatMap((line) => (line.results ? [keyOf(line)] : [])));
  return {
    results: lines.flatMap(({ file, variant, results }) =>
      (results ?? []).map((result) => ({ file, variant, ...result })),
    ),
    unfinished: lines.filter((line) => !ended.has(keyOf(line))).map(({ file }) => file),
  };
}

function write(/** @type {FileResults} */ line) {
  if (folder === undefined) return;
  mkdirSync(folder, { recursive: true });
  const variant = process.env.TEST_POSTGRES_VERSION ?? '';
  const text = `${JSON.stringify({ ...line, variant })}\n`;
  appendFileSync(join(folder, `${variant}-${process.pid}.jsonl`), text);
}

/** The same file runs in several projects, and on several versions of PostgreSQL. */
function keyOf(/** @type {{ file: string, variant: string }} */ { file, variant }) {
  return `${variant} ${file}`;
}

function fileOf(/** @type {import('vitest/node').TestModule} */ module) {
  return relative(process.cwd(), module.moduleId);
}

/** @param {import('vitest/node').TestModule | import('vitest/node').TestSuite} group */
function nameOf(group) {
  return group.type === 'suite' ? group.fullName : '';
}

/**
 * @param {string} name
 * @param {string} state
 * @param {readonly import('vitest').TestError[]} errors
 * @returns {Result}
 */
function resultOf(name, state, [error]) {
  return { name, state, error: error === undefined ? null : describeError(error) };
}

/** Its first lines, and where it was thrown. */
function describeError(/** @type {import('vitest').TestError} */ { name, message, stacks }) {
  const [stack] = stacks ?? [];
  const at = stack === undefined ? '' : ` (${relative(process.cwd(), stack.file)}:${stack.line})`;
  const text = message.split('\n', linesMax).join(' ').replace(/\s+/g, ' ').slice(0, lengthMax);
  return `${name && name !== 'Error' ? `${name}: ` : ''}${text}${at}`;
}

const linesMax = 4;
const lengthMax = 200;
