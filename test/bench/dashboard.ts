// `npm run bench:dashboard`: how long a person waits for the dashboard of a large store; with
// `--before CLI` also for that of another build, in turns, on the same store. On a database:
// `node scripts/bench-postgres.mjs dashboard`.
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { Page, Request } from 'playwright-core';
import { launchBrowser, openPage } from '../dashboard/browser.ts';
import { fillLarge, viewContents } from '../dashboard/large.ts';
import { type Service, spawnService, until } from '../e2e/service.ts';
import { withFolder } from './client.ts';
import { median, timed } from './statistics.ts';
import { table } from './table.ts';

const { values: flags } = parseArgs({
  options: {
    memories: { type: 'string', default: '100000' },
    rounds: { type: 'string', default: '9' },
    before: { type: 'string' },
  },
});
const count = Number(flags.memories);
const database_url = process.env.BENCH_DATABASE_URL ?? null;

/** Each view, and the one order of a list that no index has. */
const views = { ...viewContents, 'memories?sort=-updated_at': viewContents.memories };

type Side = {
  name: string;
  service: Service;
  page: Page;
  settle: () => Promise<void>;
  waits: Map<string, number[]>;
};

await withFolder(async (data_dir) => {
  const { ms } = await timed(() => fillLarge({ data_dir, database_url }, count));
  console.log(`${count.toLocaleString('en')} memories, filled in ${Math.round(ms / 1000)} s`);
  const browser = await launchBrowser();
  const sides: Side[] = [];
  try {
    const builds = flags.before === undefined ? {} : { before: resolve(flags.before) };
    for (const [name, cli] of Object.entries({ ...builds, now: undefined })) {
      const env = database_url === null ? {} : { MNEME_DATABASE_URL: database_url };
      const service = await spawnService({ data_dir, env, ...(cli && { cli }) });
      const { page } = await openPage({ browser, service }, { view: '#home' });
      page.setDefaultTimeout(60_000); // it measures; it does not judge
      sides.push({ name, service, page, settle: settling(page), waits: new Map() });
    }
    await measure(sides);
  } finally {
    await browser.close();
    for (const { service } of sides) {
      service.kill('SIGTERM');
      await service.exited;
    }
  }
  const head = [`median of ${flags.rounds} rounds, ms`, ...sides.map(({ name }) => name)];
  const names = ['first paint', ...Object.keys(views)];
  const cells = (name: string) =>
    sides.map(({ waits }) => median(waits.get(name) ?? []).toFixed(0));
  console.log(
    table(
      head,
      names.map((name) => [name, ...cells(name)]),
    ),
  );
});

/** A first round, which nobody counts, reads what a server reads once. */
async function measure(sides: readonly Side[]): Promise<void> {
  for (const side of sides) await visit(side);
  for (let round = 0; round < Number(flags.rounds); round += 1) {
    for (const side of round % 2 === 0 ? sides : sides.toReversed()) {
      for (const [name, ms] of Object.entries(await visit(side))) {
        side.waits.set(name, [...(side.waits.get(name) ?? []), ms]);
      }
    }
  }
}

/** Milliseconds until something is painted, and from the change to each view until it is read. */
async function visit({ page, service, settle }: Side): Promise<Record<string, number>> {
  const shows = (content: string) => page.getByRole('main').locator(content).first().waitFor();
  await page.goto('about:blank');
  await page.goto(`${service.url}/dashboard#memories`);
  await shows(viewContents.memories);
  await settle();
  const painted = await page.evaluate(
    `performance.getEntriesByName('first-contentful-paint')[0]?.startTime`,
  );
  const waits: Record<string, number> = { 'first paint': Number(painted) };
  for (const [view, content] of Object.entries(views)) {
    const { ms } = await timed(async () => {
      await page.evaluate(`location.hash = '#${view}'`);
      await shows(content);
    });
    waits[view] = ms;
    await settle();
  }
  return waits;
}

/** Waits until all is answered that the page has asked, but the stream of changes. */
function settling(page: Page): () => Promise<void> {
  const open = new Set<Request>();
  page.on('request', (request) => {
    if (!request.url().includes('/v1/changes/')) open.add(request);
  });
  page.on('response', (response) => open.delete(response.request()));
  page.on('requestfailed', (request) => open.delete(request));
  return async () => {
    await until(
      () => [...open].map((request) => request.url()),
      (urls) => urls.length === 0,
    );
  };
}
