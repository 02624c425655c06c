// The measures of speed in one run and one table, of an earlier commit and of this checkout:
// `npm run bench:all`. What is measured, flags and how to read it: ../README.md.
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { makeSentences } from '../sentences.ts';
import { table } from '../table.ts';
import { isChanged, titleOf, withBuilt } from './before.ts';
import { measureInfer } from './infer-part.ts';
import { measureLarge } from './large-part.ts';
import { measureMixed } from './mixed-part.ts';
import { measureRest } from './rest-part.ts';
import { fillSides, type Line, type Plan } from './sides.ts';
import { measureStartup } from './startup-part.ts';
import { measureStdio } from './stdio-part.ts';

const { values: flags } = parseArgs({
  options: {
    before: { type: 'string', default: 'HEAD~1' },
    memories: { type: 'string', default: '10000' },
    large: { type: 'string', default: '100000' },
    mixed: { type: 'string', default: '20000' },
    connections: { type: 'string', default: '32' },
    seconds: { type: 'string', default: '1.5' },
    'mixed-seconds': { type: 'string', default: '60' },
    turns: { type: 'string', default: '4' },
    rounds: { type: 'string', default: '15' },
    calls: { type: 'string', default: '500' },
    said: { type: 'string', default: '1500' },
    /** Parts, with commas; all unless it is given. */
    only: { type: 'string' },
  },
});

const parts: Record<string, (plan: Plan) => Promise<Line[]>> = {
  startup: measureStartup,
  rest: measureRest,
  stdio: measureStdio,
  infer: measureInfer,
  large: measureLarge,
  mixed: measureMixed,
};
const chosen = flags.only?.split(',') ?? Object.keys(parts);
for (const name of chosen) if (!Object.hasOwn(parts, name)) throw new Error(`no part is ${name}`);

const began = performance.now();
const [before, now] = [titleOf(flags.before), titleOf('HEAD')];
progress('building');
await withBuilt(flags.before, async ({ cli, folder }) => {
  const plan = planOf(cli, folder);
  progress('filling');
  await fillSides(plan.sides, plan.sentences);
  const lines: Line[] = [];
  for (const name of chosen) {
    progress(name);
    lines.push(...((await parts[name]?.(plan)) ?? []));
  }
  progress('done');
  print(lines);
});

function planOf(cli: string, folder: string): Plan {
  return {
    sides: [
      { name: 'before', cli, folder: join(folder, 'before') },
      { name: 'now', cli: resolve('dist/cli.js'), folder: join(folder, 'now') },
    ],
    folder,
    sentences: makeSentences(Number(flags.memories), 1),
    large: Number(flags.large),
    mixed: Number(flags.mixed),
    connections: Number(flags.connections),
    seconds: Number(flags.seconds),
    mixed_seconds: Number(flags['mixed-seconds']),
    turns: Number(flags.turns),
    rounds: Number(flags.rounds),
    calls: Number(flags.calls),
    said: Number(flags.said),
  };
}

/** To stderr: the table alone goes to stdout. */
function progress(what: string): void {
  console.error(`${((performance.now() - began) / 1000).toFixed(0)} s: ${what}`);
}

function print(lines: readonly Line[]): void {
  console.log(`\nbefore: ${before}`);
  console.log(`now: ${now}${isChanged() ? ', and what is changed since' : ''}`);
  const { memories, large, mixed, connections } = flags;
  console.log(`${memories} memories of a user, large ${large}, mixed ${mixed}`);
  console.log(`${connections} connections unless one by one, Node ${process.version}\n`);
  console.log(
    table(
      ['', 'before', 'now'],
      lines.map((one) => [one.name, one.before, one.now]),
    ),
  );
}
