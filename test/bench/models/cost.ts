import { readdirSync, readFileSync } from 'node:fs';
import { packageFile } from '../../../src/app/models/bundled-files.ts';
import { openEmbedder } from '../../../src/app/models/search-models.ts';
import { configFromOptions } from '../../../src/config/load-config.ts';
import { optionNames } from '../../../src/config/options.ts';
import type { Embedder } from '../../../src/core/ports/index.ts';
import { readEnglishTable } from '../../../src/providers/models/static/english-table.ts';
import { embedStatically } from '../../../src/providers/models/static/static-embedder.ts';
import { loadDataset, namedDataset } from '../dataset.ts';
import { percentile, timed } from '../statistics.ts';
import { milliseconds } from '../table.ts';
import type { OpenedModel } from './benched-models.ts';

const batchSize = 32;
const batches = 16;
const questions = 100;

/** Size, time and memory of a model, as columns of the table. */
export async function measureCost({
  options,
  bytes,
  pid,
}: OpenedModel): Promise<Record<string, string>> {
  const size = bytes === null ? '-' : `${Math.round(bytes / 1_000_000)}`;
  const embedder = embedderOf(options);
  if (embedder === null) {
    return { MB: size, 'ms a memory': '-', 'ms a question': '-', 'memory MB': '-' };
  }
  try {
    const { memory_ms, question_ms } = await timeEmbedding(embedder);
    const used = pid ?? childOf('model-process.mjs');
    return {
      MB: size,
      'ms a memory': milliseconds(memory_ms),
      'ms a question': milliseconds(question_ms),
      'memory MB': used === null ? '-' : peakMegabytes(used),
    };
  } finally {
    await embedder.close();
  }
}

function embedderOf(options: OpenedModel['options']): Embedder | null {
  const config = configFromOptions(options, optionNames);
  const model = openEmbedder(config, { log: () => {} });
  if (model !== null || !config.static_embedder) return model;
  const table = readEnglishTable(packageFile('embedding', 'english.bin'));
  return {
    name: 'table',
    embed: async (texts) => texts.map((text) => embedStatically(table, text)),
    close: async () => {},
  };
}

/** Turns of LoCoMo in batches as mneme embeds them, and its questions one by one. */
async function timeEmbedding(
  embedder: Embedder,
): Promise<{ memory_ms: number; question_ms: number }> {
  const { conversations } = loadDataset(namedDataset('locomo10'));
  const texts = conversations.flatMap(({ turns }) => turns.map(({ text }) => text));
  const asked = conversations.flatMap((one) => one.questions.map(({ question }) => question));
  embedder.preload?.();
  await embedder.embed(texts.slice(0, batchSize), { purpose: 'memory' }); // waits for loading
  const step = Math.floor(texts.length / batches);
  const memories = await timesOf(batches, (at) => {
    return embedder.embed(texts.slice(at * step, at * step + batchSize), { purpose: 'memory' });
  });
  const single = await timesOf(questions, (at) => {
    return embedder.embed([asked[at * 10] ?? ''], { purpose: 'question' });
  });
  return {
    memory_ms: percentile(memories, 50) / batchSize,
    question_ms: percentile(single, 50),
  };
}

async function timesOf(count: number, run: (at: number) => Promise<unknown>): Promise<number[]> {
  const times: number[] = [];
  for (let at = 0; at < count; at += 1) times.push((await timed(() => run(at))).ms);
  return times;
}

/** A child of this process with that word on its command line. Linux only. */
function childOf(word: string): number | null {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const found = pids.find((pid) => {
    try {
      const isChild = readFileSync(`/proc/${pid}/status`, 'utf8').includes(
        `PPid:\t${process.pid}\n`,
      );
      return isChild && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(word);
    } catch {
      return false; // it has ended
    }
  });
  return found === undefined ? null : Number(found);
}

function peakMegabytes(pid: number): string {
  try {
    const [, kilobytes = ''] =
      /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return String(Math.round(Number(kilobytes) / 1000));
  } catch {
    return '-';
  }
}
