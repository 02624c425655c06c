import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ownerKey, type Service, spawnService } from '../e2e/service.ts';
import { findBrowser } from '../library/browser.ts';
import { hostileTexts } from './hostile-texts.ts';

const executablePath = findBrowser();
const isMissing = executablePath === null;
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

if (isMissing) it.skip('needs Chromium (CHROMIUM=path): the dashboard is not tried in a browser');

describe.skipIf(isMissing)('the dashboard', () => {
  let browser: Browser;
  let service: Service;
  const data_dir = mkdtempSync(join(tmpdir(), 'mneme-dashboard-'));

  beforeAll(async () => {
    service = await spawnService({ data_dir });
    browser = await chromium.launch({
      executablePath: executablePath ?? 'chromium',
      args: ['--no-sandbox'],
    });
  });

  afterAll(async () => {
    await browser.close();
    service.kill('SIGKILL');
    await service.exited;
    rmSync(data_dir, { recursive: true, force: true });
  });

  type Look = { width?: number; colorScheme?: 'light' | 'dark'; key?: string; view?: string };

  /** A signed-in page, and what went wrong on it or went elsewhere. */
  async function open({ width = 1600, colorScheme = 'light', key = ownerKey, view = '' }: Look) {
    const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme });
    const page = await context.newPage();
    page.setDefaultTimeout(10_000);
    const problems: string[] = [];
    page.on('console', (line) => line.type() === 'error' && problems.push(line.text()));
    page.on('pageerror', ({ message }) => problems.push(message));
    page.on('dialog', (dialog) => problems.push(dialog.message()));
    page.on('request', (request) => {
      if (!request.url().startsWith(service.url)) problems.push(request.url());
    });
    await page.goto(`${service.url}/dashboard${view}`);
    await page.getByLabel('API key').fill(key);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('navigation').waitFor();
    return { page, problems };
  }

  async function add(text: string, user_id = 'ada'): Promise<string> {
    const body = { text, user_id, infer: false };
    const { body: answer } = await service.send('POST', '/v1/memories/', { key: ownerKey, body });
    expect(answer).not.toHaveProperty('error');
    return text;
  }

  it('teaches what to do while nothing is stored', async () => {
    const { page, problems } = await open({});

    await page.getByText('Nothing is remembered yet').waitFor();

    expect(await violationsOf(page)).toEqual([]);
    expect(problems).toEqual([]);
  });

  it('finds, edits, pins and deletes a memory', async () => {
    await add('Ada keeps bees.');
    await add('Ada lives in Porto.');
    const { page, problems } = await open({});

    await page.getByText('2 memories').waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('bees');
    await page.keyboard.press('Enter');
    await page.getByText('1 memory', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Ada keeps bees.' }).click();
    await page.keyboard.press('e');
    await page.getByLabel('Text of the memory').fill('Ada keeps bees and goats.');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.locator('ins', { hasText: 'bees and goats' }).first().waitFor();
    const removed = await page.locator('del').allTextContents();
    await page.getByRole('button', { name: 'Pin', exact: true }).click();
    await page.getByRole('button', { name: 'Unpin' }).waitFor();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByRole('button', { name: 'Delete it' }).click();
    await page.getByText('No memory fits').waitFor();

    expect(removed).toEqual(['Ada keeps bees.']);
    expect(problems).toEqual([]);
  });

  it('filters by the JSON of the API, and removes a condition by its chip', async () => {
    await add('Grace likes tea.', 'grace');
    const { page } = await open({});

    await page.getByText('Filter', { exact: true }).click();
    await page.getByLabel('Conditions as the API takes them').fill('{"user_id": "grace"}');
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.getByText('1 memory', { exact: true }).waitFor();
    const shown = await page.getByRole('listitem').filter({ hasText: 'tea' }).count();
    await page.getByRole('button', { name: 'Remove the condition user_id' }).click();

    await page.getByRole('button', { name: 'Ada lives in Porto.' }).waitFor();
    expect(shown).toBe(1);
  });

  it('does not overwrite what somebody else wrote meanwhile', async () => {
    await add('Ada runs.', 'two');
    const { page } = await open({});
    await page.getByRole('button', { name: 'Ada runs.' }).click();
    await page.keyboard.press('e');
    const id = await page.locator('.facts dd').first().textContent();
    const body = { text: 'Ada swims.' };
    await service.send('PUT', `/v1/memories/${id}/`, { key: ownerKey, body });

    await page.getByLabel('Text of the memory').fill('Ada rides.');
    await page.getByRole('button', { name: 'Save' }).click();

    await page.getByRole('alert').filter({ hasText: 'It now says: Ada swims.' }).waitFor();
  });

  it('answers a question with scores, and shows what the agent gets', async () => {
    const { page, problems } = await open({ view: '#ask' });

    await page.getByLabel('Question').fill('Where does Ada live?');
    await page.getByRole('button', { name: 'Ask' }).click();

    const results = page.getByRole('region', { name: 'Results' });
    await results.getByText('Ada lives in Porto.').waitFor();
    const context = await page.getByRole('region', { name: 'Context' }).textContent();
    expect(context).toContain('Ada lives in Porto.');
    expect(await violationsOf(page)).toEqual([]);
    expect(problems).toEqual([]);
  });

  it('shows a reader no button that would be refused', async () => {
    const key = await readerKey();
    const { page } = await open({ key });

    await page.getByRole('button', { name: 'Ada lives in Porto.' }).click();
    await page.getByRole('button', { name: 'Close' }).waitFor();

    const names = await page.getByRole('complementary').getByRole('button').allTextContents();
    expect(names).toEqual(['Close']);
  });

  it.each([
    { width: 360, colorScheme: 'light' },
    { width: 360, colorScheme: 'dark' },
    { width: 1600, colorScheme: 'light' },
    { width: 1600, colorScheme: 'dark' },
  ] as const)('is accessible and fits at $width pixels, $colorScheme', async (look) => {
    const { page, problems } = await open(look);
    await page.getByRole('button', { name: 'Ada lives in Porto.' }).waitFor();

    const list = await violationsOf(page);
    await shot(page, `memories-${look.width}-${look.colorScheme}`);
    await page.keyboard.press('j');
    await page.getByRole('complementary').waitFor();
    await page.locator('ins').first().waitFor();
    const detail = await violationsOf(page);
    await shot(page, `detail-${look.width}-${look.colorScheme}`);
    await page.goto(`${service.url}/dashboard#ask`);
    await page.getByLabel('Question').fill('Where does Ada live?');
    await page.keyboard.press('Enter');
    await page.getByRole('region', { name: 'Context' }).waitFor();
    await shot(page, `ask-${look.width}-${look.colorScheme}`);

    const wide = 'document.documentElement.scrollWidth > document.documentElement.clientWidth';
    expect([list, detail, await violationsOf(page)]).toEqual([[], [], []]);
    expect(await page.evaluate(wide)).toBe(false);
    expect(problems).toEqual([]);
  });

  it('shows hostile texts as text', async () => {
    expect(hostileTexts.length).toBeGreaterThanOrEqual(50);
    for (const text of hostileTexts) await add(text, 'mallory');
    const { page, problems } = await open({});
    await page.getByText('Filter', { exact: true }).click();
    await page.getByLabel('Conditions as the API takes them').fill('{"user_id": "mallory"}');
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.getByText(`${hostileTexts.length} memories`).waitFor();
    const seen = new Set<string>();
    for (const _ of hostileTexts) {
      await page.keyboard.press('j');
      await page.locator('ins').first().waitFor();
      seen.add((await page.locator('.memory').textContent()) ?? '');
    }

    expect([...seen].toSorted()).toEqual(hostileTexts.toSorted());
    expect(await page.evaluate('globalThis.hacked')).toBeUndefined();
    expect(problems).toEqual([]);
  });

  it('is at most 250 kB compressed, with a policy that allows nothing unsafe', async () => {
    const page = await fetch(`${service.url}/dashboard`);
    const names = (await page.text()).match(/\/dashboard\/assets\/[\w.-]+/g) ?? [];
    const sizes = await Promise.all(
      names.map(async (name) => {
        const answer = await fetch(service.url + name);
        return Number(answer.headers.get('Content-Length'));
      }),
    );

    const policy = page.headers.get('Content-Security-Policy') ?? '';
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain('unsafe');
    expect(sizes).toHaveLength(2);
    expect(Math.min(...sizes)).toBeGreaterThan(0);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(250_000);
  });

  async function readerKey(): Promise<string> {
    const { execFileSync } = await import('node:child_process');
    const args = ['dist/cli.js', 'keys', 'create', '--read-only', '--data-dir', data_dir];
    const printed = execFileSync(process.execPath, args, { encoding: 'utf8' });
    const [key] = /mk_\w+/.exec(printed) ?? [];
    if (key === undefined) throw new Error('no key was printed');
    return key;
  }
});

/** What axe finds, with the elements. */
async function violationsOf(page: Page): Promise<unknown[]> {
  await page.evaluate(axe);
  return page.evaluate(
    `axe.run().then(({ violations }) =>
      violations.map(({ id, nodes }) => [id, nodes.map(({ target }) => String(target))]))`,
  );
}

/** With DASHBOARD_SHOTS=FOLDER, a picture for people to look at. */
async function shot(page: Page, name: string): Promise<void> {
  const folder = process.env.DASHBOARD_SHOTS;
  if (folder !== undefined) await page.screenshot({ path: join(folder, `${name}.png`) });
}
