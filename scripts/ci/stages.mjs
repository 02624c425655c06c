// The stages of `.ci/run`, in order: those first that fail soonest.

/**
 * `tests`: it runs vitest, which tells what failed (test-report.mjs).
 * `secondChance`: tests that fail are run once more by themselves.
 * `required`: without it nothing else can run.
 * `minutesMax`: when it is ended; 25 by default.
 *
 * @typedef {{
 *   name: string,
 *   command: string[],
 *   env?: Record<string, string>,
 *   tests?: boolean,
 *   secondChance?: boolean,
 *   required?: boolean,
 *   minutesMax?: number,
 * }} Stage
 */

/** These start processes and servers, which a busy machine can starve. */
const onBusyMachines = { tests: true, secondChance: true };

/** @type {Stage[]} */
export const stages = [
  {
    name: 'install',
    command: ['npm', 'ci', '--include=dev', '--include=optional'],
    required: true,
  },
  { name: 'check', command: ['npm', 'run', 'check'] },
  { name: 'unit', command: ['npm', 'test'], tests: true },
  // 15 minutes on a quick machine, 36 on a slow one.
  { name: 'process', command: ['npm', 'run', 'test:process'], minutesMax: 45, ...onBusyMachines },
  { name: 'compat', command: ['npm', 'run', 'test:compat'], ...onBusyMachines },
  { name: 'postgres', command: ['npm', 'run', 'test:postgres'], minutesMax: 40, ...onBusyMachines },
  // The oldest and the newest of those that `npm run test:postgres-versions` runs.
  ...['14', '18'].map((version) => ({
    name: `postgres ${version}`,
    command: ['npm', 'run', 'test:postgres-versions'],
    env: { TEST_POSTGRES_VERSION: version },
    ...onBusyMachines,
  })),
];
