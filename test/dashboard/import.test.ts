import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { strToU8, zipSync } from 'fflate';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createKey, listOf, ownerKey, type Service, spawnService } from '../e2e/service.ts';
import {
  isMissing,
  isTooWide,
  type Look,
  launchBrowser,
  openPage,
  shot,
  violationsOf,
} from './browser.ts';

const at = '2026-01-31T12:00:00.000Z';

function memoryLine(memory: string, more: Record<string, unknown> = {}) {
  const times = { created_at: at, updated_at: at };
  return { kind: 'memory', id: randomUUID(), memory, user_id: 'ada', ...times, ...more };
}

const header = { mneme: 'export', version: 1 };

function linesOf(values: readonly unknown[]): string {
  return values
    .map((value) => `${typeof value === 'string' ? value : JSON.stringify(value)}\n`)
    .join('');
}

/** What ChatGPT puts into its archive. */
const chatGpt = [
  {
    title: 'Moving house',
    create_time: 1_700_000_000,
    current_node: 'b',
    mapping: {
      a: { id: 'a', parent: null, children: ['b'], message: null },
      b: {
        id: 'b',
        parent: 'a',
        children: [],
        message: {
          author: { role: 'user' },
          create_time: 1_700_000_000,
          content: { content_type: 'text', parts: ['I moved to Porto and I keep bees.'] },
        },
      },
    },
  },
];

/** A conversation of which each message was said on another day, so that each is an add. */
function onePerDay(texts: readonly string[]) {
  const ids = texts.map((_, n) => `m${n}`);
  const messages = texts.map((text, n) => ({
    id: ids[n],
    parent: ids[n - 1] ?? null,
    children: ids.slice(n + 1, n + 2),
    message: {
      author: { role: 'user' },
      create_time: 1_700_000_000 + n * 86_400,
      content: { content_type: 'text', parts: [text] },
    },
  }));
  const mapping = Object.fromEntries(messages.map((message) => [message.id, message]));
  return { title: 'Days', create_time: 1_700_000_000, current_node: ids.at(-1), mapping };
}

/** Lets the server answer one of the adds of a page only when it is told to. */
async function holdAdd(page: Page, which: number) {
  const adds: string[][] = [];
  const held = createGate();
  const going = createGate();
  await page.route('**/v1/memories/', async (route) => {
    if (route.request().method() !== 'POST') return route.continue();
    const { messages } = route.request().postDataJSON();
    adds.push(messages.map(({ content }: { content: string }) => content));
    if (adds.length === which) {
      held.open();
      await going.passed;
    }
    return route.continue();
  });
  return { adds, isHeld: held.passed, letGo: going.open };
}

function createGate() {
  let open = () => {};
  const passed = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open, passed };
}

if (isMissing) it.skip('needs Chromium (CHROMIUM=path): an import is not tried in a browser');

describe.skipIf(isMissing)('an import in the dashboard', () => {
  let browser: Browser;
  let service: Service;
  let data_dir: string;

  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser.close());

  beforeEach(async () => {
    data_dir = mkdtempSync(join(tmpdir(), 'mneme-import-'));
    service = await spawnService({ data_dir });
  });
  afterEach(async () => {
    service.kill('SIGKILL');
    await service.exited;
    rmSync(data_dir, { recursive: true, force: true });
  });

  const open = (look: Look) =>
    openPage({ browser, service }, { view: '#settings/import', ...look });

  async function give(page: Page, name: string, content: string | Buffer): Promise<void> {
    const buffer = Buffer.from(content);
    await page
      .locator('input[type=file]')
      .setInputFiles({ name, mimeType: 'application/octet-stream', buffer });
  }

  async function texts(user_id: string): Promise<unknown[]> {
    const answer = await service.send('GET', `/v1/memories/?user_id=${user_id}&page_size=1000`, {
      key: ownerKey,
    });
    return listOf(answer)
      .map(({ memory }) => memory)
      .toSorted();
  }

  it('takes a file that is dropped on an empty store, and stores an export in parts', async () => {
    const lines = Array.from({ length: 600 }, (_, n) => memoryLine(`Ada planted tree ${n}`));
    const { page, problems } = await open({ view: '#home' });
    const zone = page.locator('.drop-zone');
    await zone.waitFor();

    const text = linesOf([header, ...lines, { kind: 'end' }]);
    // Written as text, because types of the page are not those of the tests.
    const transfer = await page.evaluateHandle(`(() => {
      const files = new DataTransfer();
      files.items.add(new File([${JSON.stringify(text)}], 'memories.jsonl'));
      return files;
    })()`);
    await zone.dispatchEvent('drop', { dataTransfer: transfer });
    await page.getByText('It holds 600 new memories.').waitFor();
    const before = await texts('ada');
    await page.getByRole('button', { name: 'Import' }).click();
    await page.getByText('600 memories added, 0 changed, 0 known already.').waitFor();

    expect(before).toEqual([]);
    expect(await texts('ada')).toHaveLength(600);
    expect(problems).toEqual([]);
  });

  it('names the lines that it leaves out, as they stand in the file', async () => {
    const { page } = await open({});

    const wrong = memoryLine('Ada flies', { user_id: null });
    await give(
      page,
      'mine.jsonl',
      linesOf([header, '', memoryLine('Ada keeps bees'), '{"kind":', wrong, { kind: 'end' }]),
    );
    await page.getByText('It holds 1 new memory.').waitFor();
    const told = await page
      .getByRole('listitem')
      .filter({ hasText: /^line / })
      .allTextContents();
    await shot(page, 'import-ready');
    await page.getByRole('button', { name: 'Import' }).click();
    await page.getByText('1 memory added').waitFor();

    expect(told).toEqual([
      'line 4: is not valid JSON',
      expect.stringMatching(/^line 5: user_id: at least one of /),
    ]);
    expect(await texts('ada')).toEqual(['Ada keeps bees']);
  });

  it('remembers what an archive of ChatGPT holds, for the user that is named', async () => {
    const { page } = await open({});

    await give(
      page,
      'chatgpt.zip',
      Buffer.from(zipSync({ 'conversations.json': strToU8(JSON.stringify(chatGpt)) })),
    );
    await page.getByText('1 conversation with ChatGPT, 1 message.').waitFor();
    await page.getByLabel('User', { exact: true }).fill('ann');
    await shot(page, 'import-chat');
    await page.getByRole('button', { name: 'Import' }).click();
    await page.getByText(/memor(?:y|ies) added/).waitFor();

    expect(await texts('ann')).toEqual(
      expect.arrayContaining([expect.stringContaining('Porto'), expect.stringContaining('bees')]),
    );
  });

  it('stores the graph of server-memory', async () => {
    const { page } = await open({});
    const entities = [{ name: 'Otis', entityType: 'dog', observations: ['likes long walks'] }];

    await give(page, 'memory.json', JSON.stringify({ entities, relations: [] }));
    await page.getByLabel('User', { exact: true }).fill('ann');
    await page.getByRole('button', { name: 'Import' }).click();
    await page.getByText('1 memory added').waitFor();

    expect(await texts('ann')).toEqual(['Otis (dog): likes long walks']);
  });

  it('goes on where it stopped, when the server is back', async () => {
    const { page } = await open({});
    await give(page, 'mine.jsonl', linesOf([header, memoryLine('Ada keeps bees')]));
    await page.getByText('It holds 1 new memory.').waitFor();

    await page.route('**/v1/imports/', (route) => route.abort());
    await page.getByRole('button', { name: 'Import' }).click();
    const goOn = page.getByRole('button', { name: 'Go on' });
    await goOn.waitFor();
    await page.unroute('**/v1/imports/');
    await goOn.click();
    await page.getByText('1 memory added').waitFor();

    expect(await texts('ada')).toEqual(['Ada keeps bees']);
  });

  it('names a line that it leaves out once, however often it goes on', async () => {
    const { page } = await open({});
    const goOn = page.getByRole('button', { name: 'Go on' });
    const told = () =>
      page
        .getByRole('listitem')
        .filter({ hasText: /^line / })
        .allTextContents();
    const refuse = () => page.route('**/v1/imports/', (route) => route.abort());
    const goOnAnswered = async () => {
      await goOn.waitFor();
      await page.unroute('**/v1/imports/');
      await goOn.click();
    };

    await refuse();
    await give(page, 'mine.jsonl', linesOf([header, '{"kind":', memoryLine('Ada keeps bees')]));
    await goOnAnswered();
    await page.getByText('It holds 1 new memory.').waitFor();
    const checked = await told();
    await refuse();
    await page.getByRole('button', { name: 'Import' }).click();
    await goOnAnswered();
    await page.getByText('1 memory added').waitFor();

    expect(checked).toEqual(['line 2: is not valid JSON']);
    expect(await told()).toEqual(['line 2: is not valid JSON']);
    await page.getByText('1 line left out').waitFor();
  });

  it('ends within a conversation when it is stopped, and goes on where it ended', async () => {
    const { page } = await open({});
    const { adds, isHeld, letGo } = await holdAdd(page, 2);
    const said = ['I keep bees.', 'I moved to Porto.', 'I play the violin.', 'I have a boat.'];
    await give(page, 'chats.json', JSON.stringify([onePerDay(said)]));
    await page.getByLabel('User', { exact: true }).fill('ann');
    await page.getByLabel(/Keep each message as it is/).check();
    await page.getByRole('button', { name: 'Import' }).click();
    await isHeld;

    await page.getByRole('button', { name: 'Stop' }).click();
    await page.getByRole('button', { name: 'Go on' }).click();
    await page.getByRole('progressbar', { name: 'Importing' }).waitFor();
    letGo();
    await page.getByText('4 memories added, 0 changed, 0 known already.').waitFor();

    expect(adds).toEqual(said.map((text) => [text]));
    expect(await texts('ann')).toEqual(said.toSorted());
  });

  it('goes on with the check of a file before it offers to store it', async () => {
    const lines = Array.from({ length: 600 }, (_, n) => memoryLine(`Ada planted tree ${n}`));
    const { page } = await open({});
    let sent = 0;
    await page.route('**/v1/imports/', (route) => {
      sent += 1;
      return sent > 1 ? route.abort() : route.continue();
    });

    await give(page, 'mine.jsonl', linesOf([header, ...lines, { kind: 'end' }]));
    const goOn = page.getByRole('button', { name: 'Go on' });
    await goOn.waitFor();
    await page.unroute('**/v1/imports/');
    await goOn.click();
    await page.getByText('It holds 600 new memories.').waitFor();

    expect(await texts('ada')).toEqual([]);
  });

  it('says what a file is that it cannot read, and takes another', async () => {
    const { page } = await open({});

    await give(page, 'notes.json', '{"hello": 1}');
    await page.getByText(/notes\.json holds no conversation that mneme can read/).waitFor();
    await page.getByRole('button', { name: 'Another file' }).click();

    await page.locator('.drop-zone').waitFor();
  });

  it.each([
    [390, 'dark'],
    [1600, 'light'],
  ] as const)('fits %i pixels, %s, without a barrier', async (width, colorScheme) => {
    const { page } = await open({ width, colorScheme });
    await page.locator('.drop-zone').waitFor();
    const empty = await violationsOf(page);
    await shot(page, `import-${width}-${colorScheme}`);
    await give(page, 'chats.json', JSON.stringify(chatGpt));
    await page.getByRole('button', { name: 'Import' }).waitFor();

    expect(empty).toEqual([]);
    expect(await violationsOf(page)).toEqual([]);
    expect(await page.evaluate(isTooWide)).toBe(false);
  });

  it('shows a reader no way to import', async () => {
    const key = await createKey(data_dir, ['--read-only']);
    const { page } = await open({ key });

    await page.getByText('Only an owner may import.').waitFor();

    expect(await page.locator('input[type=file]').count()).toBe(0);
  });
});
