// Requests a second of the REST service, beside a bare route in the same run: `npm run bench:rest`.
// What is compared, flags and results: README.md.
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { withFolder } from './client.ts';
import { fillMneme } from './fill-store.ts';
import { cpuEach, type Loaded, type LoadTotal, loadInTurns, rateOf } from './load-turns.ts';
import { listIds, requestsOf, textOf } from './rest-requests.ts';
import { startBare, startService } from './rest-servers.ts';
import { makeSentences } from './sentences.ts';
import { percentile } from './statistics.ts';
import { milliseconds, perSecond, table } from './table.ts';

const { values: flags } = parseArgs({
  options: {
    memories: { type: 'string', default: '10000' },
    connections: { type: 'string', default: '32' },
    seconds: { type: 'string', default: '2' },
    turns: { type: 'string', default: '5' },
    only: { type: 'string', default: '' },
  },
});
const memories = Number(flags.memories);
const turns = Number(flags.turns);
const seconds = Number(flags.seconds);

await withFolder(async (folder) => {
  const sentences = makeSentences(memories, 1);
  const [normal, full] = [join(folder, 'normal'), join(folder, 'full')];
  for (const data_dir of [normal, full]) await fillMneme(data_dir, sentences);
  const service = await startService(normal, 'normal');
  const durable = await startService(full, 'full');
  const ids = await listIds(service);
  const bare = await startBare(join(folder, 'bare'), await textOf(service, ids[0] ?? ''));
  const rows = requestsOf({ ids, sentences }, Number(flags.connections));
  const contenders = [
    { ...rows.bare, server: bare },
    ...rows.reads.map((row) => ({ ...row, server: service })),
    ...rows.adds.map((row) => ({ ...row, server: service })),
    ...rows.adds.map((row) => ({ ...row, name: `${row.name}, full`, server: durable })),
  ].filter(({ name }) => name === rows.bare.name || name.includes(flags.only));
  const measured = await loadInTurns(contenders, { turns, seconds });
  await Promise.all([service.stop(), durable.stop(), bare.stop()]);
  print(contenders, measured);
});

function print(contenders: readonly Loaded[], measured: readonly LoadTotal[]): void {
  const [bare] = measured;
  const rows = contenders.map(({ name, connections }, index) => {
    const own = measured[index] ?? { ms: [], errors: 0, seconds: 1, cpuMs: 0 };
    const share = bare === undefined ? 0 : rateOf(own) / rateOf(bare);
    return [
      name,
      String(connections),
      perSecond(own.ms.length, own.seconds * 1000),
      `${(share * 100).toFixed(0)}%`,
      milliseconds(percentile(own.ms, 50)),
      milliseconds(percentile(own.ms, 99)),
      (cpuEach(own) * 1000).toFixed(0),
      String(own.errors),
    ];
  });
  console.log(`\n${memories} memories, keys on, Node ${process.version}\n`);
  const head = ['requests', 'connections', 'a second', 'of bare', 'p50 ms', 'p99 ms'];
  console.log(table([...head, 'cpu µs', 'errors'], rows));
}
