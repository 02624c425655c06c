// Stores every turn of real conversations and asks their questions: `npm run bench:locomo` and
// `npm run bench:beam`. Protocol, flags and results: README.md.
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { withFolder } from './client.ts';
import { loadDataset, namedDataset, type OwnerOf } from './dataset.ts';
import { engines, isEngineName } from './engines.ts';
import { printReport } from './retrieval-report.ts';
import { askAll, storeAll } from './retrieval-run.ts';

const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    /** A file of conversations in place of the named ones. */
    data: { type: 'string' },
    engine: { type: 'string', default: 'mcp' },
    /** Turns are understood, by rules, in place of being stored word for word. */
    infer: { type: 'boolean', default: false },
    /** Only the first so many conversations, for a quick look. */
    limit: { type: 'string' },
    /** All conversations are one user's, who is asked all questions. */
    'one-user': { type: 'boolean', default: false },
    /** A file for the outcome of each question, to compare two versions. */
    out: { type: 'string' },
  },
});
const file = flags.data ?? (positionals[0] && namedDataset(positionals[0]));
if (!file) throw new Error('say which conversations: --data FILE.json.gz');
if (!isEngineName(flags.engine)) throw new Error(`--engine is one of ${Object.keys(engines)}`);

const start = engines[flags.engine];
const dataset = loadDataset(file);
if (flags.limit) dataset.conversations.splice(Number(flags.limit));

const ownerOf: OwnerOf = ({ id }) => (flags['one-user'] ? 'everyone' : id);

await withFolder(async (folder) => {
  const engine = await start(folder);
  try {
    const stored = await storeAll(engine, dataset, { infer: flags.infer, ownerOf });
    const asked = await askAll(engine, dataset, { holders: stored.holders, ownerOf });
    printReport({ dataset, engine: flags.engine, stored, asked });
    if (flags.out) writeFileSync(flags.out, JSON.stringify(asked, null, 1));
  } finally {
    await engine.close();
  }
});
