/**
 * A reporter for vitest: one plain closing line that any CI can read.
 *
 * @type {import('vitest/node').Reporter}
 */
export const testCount = {
  onTestRunEnd(modules) {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const count = (/** @type {string} */ state) =>
      tests.filter((test) => test.result().state === state).length;
    const line = `${count('passed')} passed, ${count('failed')} failed`;
    console.log(`\n${line}, ${count('skipped')} skipped`);
  },
};
