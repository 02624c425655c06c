/**
 * A reporter for vitest: one plain last line that any CI can parse; if several projects ran, a
 * line for each of them before it.
 *
 * @type {import('vitest/node').Reporter}
 */
export const testCount = {
  onTestRunEnd(modules) {
    const names = [...new Set(modules.map(({ project }) => project.name))];
    console.log();
    for (const name of names.length > 1 ? names : []) {
      console.log(`${name}: ${countIn(modules.filter(({ project }) => project.name === name))}`);
    }
    console.log(countIn(modules));
  },
};

function countIn(/** @type {ReadonlyArray<import('vitest/node').TestModule>} */ modules) {
  const tests = modules.flatMap((module) => [...module.children.allTests()]);
  const count = (/** @type {string} */ state) =>
    tests.filter((test) => test.result().state === state).length;
  return `${count('passed')} passed, ${count('failed')} failed, ${count('skipped')} skipped`;
}
