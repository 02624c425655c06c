// `npm run bench:dashboard`: how long a person waits for the dashboard of a large store.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { launchBrowser, openPage } from '../dashboard/browser.ts';
import { spawnService } from '../e2e/service.ts';
import { fillStore } from './large-store.ts';
import { makeSentences } from './sentences.ts';

const { values } = parseArgs({
  options: {
    memories: { type: 'string', default: '100000' },
    rounds: { type: 'string', default: '5' },
  },
});
const count = Number(values.memories);
const usersOf = 1000;

/** The views, and what stands on each once it has been read. */
const views = [
  ['home', 'Recent changes'],
  ['memories', 'memories'],
  ['people', 'user 1'],
  ['ask', 'Ask as an agent would'],
  ['review', 'Nothing to review'],
  ['timeline', 'Show what was known'],
  ['graph', 'No relations are known yet'],
  ['replay', 'No recalls are kept yet'],
  ['activity', 'This call as code'],
  ['settings', 'Memories of a project'],
] as const;

const data_dir = mkdtempSync(join(tmpdir(), 'mneme-bench-'));
const owned = makeSentences(count, 1).map(({ text }, index) => ({
  text,
  user_id: `user ${index % usersOf}`,
  run_id: `run ${index % 5000}`,
}));
await fillStore(data_dir, owned);
const service = await spawnService({ data_dir });
const browser = await launchBrowser();
try {
  const { page } = await openPage({ browser, service }, { view: '#memories' });
  const paints: number[] = [];
  const waits = new Map<string, number[]>();
  for (let round = 0; round < Number(values.rounds); round += 1) {
    await page.goto('about:blank');
    await page.goto(`${service.url}/dashboard#memories`);
    await page.getByText(`${count.toLocaleString('en')} memories`).waitFor();
    const painted = await page.evaluate(
      `performance.getEntriesByName('first-contentful-paint')[0]?.startTime`,
    );
    paints.push(Number(painted));
    for (const [view, mark] of views) {
      const started = performance.now();
      await page.evaluate(`location.hash = '#${view}'`);
      await page.getByRole('main').getByText(mark).first().waitFor();
      waits.set(view, [...(waits.get(view) ?? []), performance.now() - started]);
    }
  }
  console.log(`${count.toLocaleString('en')} memories, median of ${values.rounds} rounds, ms`);
  console.log(`first paint          ${median(paints).toFixed(0)}`);
  for (const [view, times] of waits) {
    console.log(`${view.padEnd(20)} ${median(times).toFixed(0)}`);
  }
} finally {
  await browser.close();
  service.kill('SIGKILL');
  await service.exited;
  rmSync(data_dir, { recursive: true, force: true });
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((one, other) => one - other)[numbers.length >> 1] ?? 0;
}
