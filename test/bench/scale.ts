// Stores of up to a million memories, without a face: `npm run bench:scale`. What is measured,
// flags and results: README.md.
import { fork } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { withFolder } from './client.ts';
import { measureMachine } from './machine.ts';
import { type Measured, measureStore } from './scale-measure.ts';
import { addVersions, prepareStore } from './scale-store.ts';
import { milliseconds, table } from './table.ts';

const { values: flags } = parseArgs({
  options: {
    memories: { type: 'string', default: '10000,100000' },
    /** Memories of one user. */
    each: { type: 'string', default: '1000' },
    calls: { type: 'string', default: '100' },
    dimension: { type: 'string', default: '384' },
    /** A folder to keep the stores in, and to find them in the next time. */
    folder: { type: 'string' },
    /** Earlier versions of each memory: searches are measured without them, and again with them. */
    versions: { type: 'string', default: '0' },
    /** Leaves sqlite-vec out. */
    alone: { type: 'boolean', default: false },
    /** Measures only what has this in its name. */
    only: { type: 'string', default: '' },
    /** The step that this process is for: each has memory of its own. */
    step: { type: 'string' },
  },
});
const [each, calls, dimension, versions] = [
  flags.each,
  flags.calls,
  flags.dimension,
  flags.versions,
].map(Number) as [number, number, number, number];

if (flags.step === undefined) {
  await (flags.folder === undefined ? withFolder(measureAll) : measureAll(flags.folder));
} else {
  const folder = flags.folder ?? '';
  const sample = await prepareStore(folder, { memories: Number(flags.memories), each, dimension });
  const { alone, only } = flags;
  if (flags.step === 'measure') {
    process.send?.(await measureStore(folder, sample, { calls, alone, only, versions: 0 }));
  } else if (flags.step === 'past') {
    await addVersions(folder, versions);
    process.send?.(await measureStore(folder, sample, { calls, alone: true, only, versions }));
  }
}

async function measureAll(folder: string): Promise<void> {
  const sizes = flags.memories.split(',').map(Number);
  const measured: Measured[] = [];
  for (const memories of sizes) {
    const place = join(folder, `${memories}`);
    mkdirSync(place, { recursive: true });
    await inProcess('fill', memories, place);
    const one = await inProcess('measure', memories, place);
    if (one !== undefined) measured.push(one);
    const past = versions === 0 ? undefined : await inProcess('past', memories, place);
    if (past !== undefined) measured.push(past);
  }
  const { processor, copy_gb_s, fsyncs_s } = await measureMachine(folder);
  console.log(`\nNode ${process.version}, ${processor}`);
  console.log(`one thread copies ${copy_gb_s.toFixed(1)} GB/s; ${Math.round(fsyncs_s)} fsyncs/s`);
  console.log(`${each} memories of each user, ${dimension} dimensions\n`);
  console.log(tableOf(measured));
}

/** Answers what the process sends, once it is over. */
function inProcess(step: string, memories: number, folder: string): Promise<Measured | undefined> {
  const args = ['--step', step, '--memories', `${memories}`, '--folder', folder];
  const rest = ['--each', `${each}`, '--calls', `${calls}`, '--dimension', `${dimension}`];
  rest.push('--versions', `${versions}`, '--only', flags.only);
  if (flags.alone) rest.push('--alone');
  const child = fork(fileURLToPath(import.meta.url), [...args, ...rest], {
    execArgv: ['--max-old-space-size=8000'],
  });
  let sent: Measured | undefined;
  child.on('message', (message) => {
    sent = message as Measured;
  });
  return new Promise((resolve, reject) => {
    child.on('exit', (code) => {
      if (code === 0) resolve(sent);
      else reject(new Error(`the step ${step} of ${memories} memories failed`));
    });
  });
}

/** By the clock p50 and p95, and in brackets what the processor computed at p50. */
function tableOf(measured: readonly Measured[]): string {
  const head = measured.map(({ memories, versions: earlier }) => {
    const count = memories.toLocaleString('en-US');
    return earlier === 0 ? count : `${count}, ${earlier} earlier versions of each`;
  });
  const names = [...new Set(measured.flatMap(({ works }) => works.map(({ name }) => name)))];
  const works = names.map((name) => [
    name,
    ...measured.map(({ works }) => {
      const work = works.find((one) => one.name === name);
      if (work === undefined) return '-';
      const { p50, p95, cpu } = work;
      return `${milliseconds(p50)} / ${milliseconds(p95)} (${milliseconds(cpu)})`;
    }),
  ]);
  const facts = (measured[0]?.facts ?? []).map(({ name }, index) => [
    name,
    ...measured.map(({ facts }) => facts[index]?.value ?? '-'),
  ]);
  return table(['ms p50 / p95 (cpu p50)', ...head], [...works, ...facts]);
}
