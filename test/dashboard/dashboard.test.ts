import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listOf, ownerKey, type Service, spawnService } from '../e2e/service.ts';
import {
  isMissing,
  isTooWide,
  type Look,
  launchBrowser,
  openPage,
  shot,
  violationsOf,
} from './browser.ts';
import { hostileTexts } from './hostile-texts.ts';

if (isMissing) it.skip('needs Chromium (CHROMIUM=path): the dashboard is not tried in a browser');

describe.skipIf(isMissing)('the dashboard', () => {
  let browser: Browser;
  let service: Service;
  let data_dir: string;

  beforeAll(async () => {
    data_dir = mkdtempSync(join(tmpdir(), 'mneme-dashboard-'));
    service = await spawnService({ data_dir });
    browser = await launchBrowser();
  });

  afterAll(async () => {
    await browser.close();
    service.kill('SIGKILL');
    await service.exited;
    rmSync(data_dir, { recursive: true, force: true });
  });

  const open = (look: Look) => openPage({ browser, service }, look);

  async function add(text: string, user_id = 'ada'): Promise<string> {
    const body = { text, user_id, infer: false };
    const { body: answer } = await service.send('POST', '/v1/memories/', { key: ownerKey, body });
    expect(answer).not.toHaveProperty('error');
    return text;
  }

  it.each([
    ['', 'Nothing is remembered yet'],
    ['#memories', 'Nothing is remembered yet'],
    ['#timeline', 'Nothing has been learned yet'],
    ['#activity', 'No such requests yet'],
    ['#review', 'Nothing to review'],
    ['#graph', 'No relations are known yet'],
    ['#replay', 'No recalls are kept yet'],
    ['#activity/deliveries', 'No webhook is told of changes'],
    ['#settings/webhooks', 'No address is told of changes yet'],
  ])('teaches what to do while nothing is stored (%s)', async (view, text) => {
    const { page, problems } = await open({ view });

    await page.getByText(text).waitFor();

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
    await page.locator('ins', { hasText: 'and goats' }).first().waitFor();
    const added = await page.locator('ins', { hasText: 'and goats' }).allTextContents();
    await page.getByRole('button', { name: 'Pin', exact: true }).click();
    await page.getByRole('button', { name: 'Unpin' }).waitFor();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByRole('button', { name: 'Delete it' }).click();
    await page.getByText('No memory fits').waitFor();

    expect(added).toEqual([' and goats']);
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
    const id = await page.locator('.facts code').textContent();
    const body = { text: 'Ada swims.' };
    await service.send('PUT', `/v1/memories/${id}/`, { key: ownerKey, body });

    await page.getByLabel('Text of the memory').fill('Ada rides.');
    await page.getByRole('button', { name: 'Save' }).click();

    await page.locator('del', { hasText: 'swims' }).first().waitFor();
    await page.getByRole('button', { name: 'Keep theirs' }).click();
    await page.locator('.memory', { hasText: 'Ada swims.' }).waitFor();
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

  it('begins with what is remembered, what changed last and what waits', async () => {
    const { page, problems } = await open({ view: '' });

    const figures = page.getByRole('list', { name: 'Figures' });
    await figures.getByRole('link', { name: /memories$/ }).waitFor();
    const changed = page.getByRole('region', { name: 'Recent changes' });
    await changed.getByText('Ada swims.').waitFor();
    await figures.getByRole('link', { name: 'waiting for review' }).click();
    await page.getByText('Nothing to review').waitFor();
    expect(problems).toEqual([]);
  });

  it('accepts what waits with another text, declines it, and bars the like', async () => {
    await setReview('all');
    for (const text of ['Eve may wiat.', 'Eve is gone.', 'Eve sells pills.'])
      await add(text, 'eve');
    await setReview('off');
    const { page, problems } = await open({ view: '#review' });
    const card = (text: string) => page.getByRole('listitem').filter({ hasText: text });

    await card('Eve may wiat.').getByRole('button', { name: 'Edit' }).click();
    await page.getByLabel('Text of the memory').fill('Eve may wait.');
    await page.getByRole('button', { name: 'Accept', exact: true }).nth(2).click();
    await page.getByText('2 memories to review').waitFor();
    await card('Eve is gone.').getByRole('button', { name: 'Decline', exact: true }).click();
    await page.getByText('1 memory to review').waitFor();
    await card('Eve sells pills.').getByRole('button', { name: 'Decline and block' }).click();
    await page.getByText('Nothing to review').waitFor();

    expect(await textsOf('eve')).toEqual(['Eve may wait.']);
    expect(problems).toEqual([]);
  });

  it('shows each request with what it did, and undoes one after showing what that does', async () => {
    await add('Ivy rows.', 'ivy');
    const { page, problems } = await open({ view: '#activity' });
    const event = page.getByRole('listitem').filter({ hasText: 'Ivy rows.' });

    await event.getByRole('button', { name: 'Ivy rows.' }).click();
    await event.getByRole('button', { name: 'Undo', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Undo' });
    await dialog.locator('del', { hasText: 'Ivy rows.' }).waitFor();
    expect(await textsOf('ivy')).toEqual(['Ivy rows.']);
    await dialog.getByRole('button', { name: 'Undo it' }).click();
    await page.locator('strong', { hasText: 'Undo' }).first().waitFor();

    await page.getByLabel('Kind').selectOption('UNDO');
    await page.getByRole('button', { name: /^Undo.*Ivy rows\./ }).click();
    await page.getByRole('paragraph').filter({ hasText: 'DeletedIvy rows.' }).waitFor();
    expect(await textsOf('ivy')).toEqual([]);
    expect(problems).toEqual([]);
  });

  it('goes back to a day with all views, in which nothing can be changed', async () => {
    pretendPast('Liz walks.', '2026-01-05');
    const { page, problems } = await open({ view: '#timeline' });

    await page.getByText('2026-01-05 to today').waitFor();
    await page.getByLabel('Show what was known').focus();
    await page.keyboard.press('Home');
    await page.getByText('You see what was known at the end of').waitFor();
    await page.getByRole('link', { name: 'Memories' }).click();
    await page.getByText('1 memory', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Liz walks.' }).click();
    const names = await page.getByRole('complementary').getByRole('button').allTextContents();
    await page.getByRole('button', { name: 'Back to now' }).click();
    await page.getByRole('button', { name: 'Ada lives in Porto.' }).waitFor();

    expect(names).toEqual(['Close', 'Copy']);
    expect(problems).toEqual([]);
  });

  it('shows a reader no button that would be refused', async () => {
    const key = readerKey();
    const { page } = await open({ key });

    await page.getByRole('button', { name: 'Ada lives in Porto.' }).click();
    await page.getByRole('button', { name: 'Close' }).waitFor();

    const names = await page.getByRole('complementary').getByRole('button').allTextContents();
    expect(names).toEqual(['Close', 'Copy']);
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

    expect([list, detail, await violationsOf(page)]).toEqual([[], [], []]);
    expect(await page.evaluate(isTooWide)).toBe(false);
    expect(problems).toEqual([]);
  });

  it.each([
    { width: 360, colorScheme: 'light' },
    { width: 1600, colorScheme: 'dark' },
  ] as const)(
    'has views that fit $width pixels, $colorScheme, and are accessible',
    async (look) => {
      const { page, problems } = await open(look);
      for (const [view, mark] of views) {
        await page.goto(`${service.url}/dashboard#${view}`);
        await page.getByRole('main').getByText(mark).first().waitFor();
        await shot(page, `${view}-${look.width}-${look.colorScheme}`);

        expect([view, await violationsOf(page)]).toEqual([view, []]);
        expect([view, await page.evaluate(isTooWide)]).toEqual([view, false]);
      }
      expect(problems).toEqual([]);
    },
  );

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

    for (const [view, mark] of views) {
      await page.goto(`${service.url}/dashboard#${view}`);
      await page.getByRole('main').getByText(mark).first().waitFor();
    }

    expect([...seen].toSorted()).toEqual(hostileTexts.toSorted());
    expect(await page.evaluate('globalThis.hacked')).toBeUndefined();
    expect(problems).toEqual([]);
  });

  async function textsOf(user_id: string): Promise<unknown[]> {
    const body = { filters: { user_id } };
    const answer = await service.send('POST', '/v2/memories/', { key: ownerKey, body });
    return listOf(answer).map(({ memory }) => memory);
  }

  function mneme(...args: string[]): string {
    return execFileSync(process.execPath, ['dist/cli.js', ...args], { encoding: 'utf8' });
  }

  async function setReview(review: 'off' | 'all'): Promise<void> {
    const { body } = await service.send('GET', '/v1/ping/', { key: ownerKey });
    const { org_id, project_id } = body as { org_id: string; project_id: string };
    const path = `/api/v1/orgs/organizations/${org_id}/projects/${project_id}/`;
    const { status } = await service.send('PATCH', path, { key: ownerKey, body: { review } });
    expect(status).toBe(200);
  }

  /** Imports a memory that a store learned on an earlier day. */
  function pretendPast(text: string, day: string): void {
    const other = mkdtempSync(join(tmpdir(), 'mneme-dashboard-'));
    mneme('add', text, '--user-id', 'liz', '--data-dir', other);
    const exported = mneme('export', '-', '--data-dir', other);
    const today = new Date().toISOString().slice(0, 10);
    const file = join(other, 'past.jsonl');
    writeFileSync(file, exported.replaceAll(`"${today}T`, `"${day}T`));
    mneme('import', file, '--data-dir', data_dir);
    rmSync(other, { recursive: true, force: true });
  }

  function readerKey(): string {
    const printed = mneme('keys', 'create', '--read-only', '--data-dir', data_dir);
    const [key] = /mk_\w+/.exec(printed) ?? [];
    if (key === undefined) throw new Error('no key was printed');
    return key;
  }
});

/** The views besides Memories and Ask, and what stands on them once they are read. */
const views = [
  ['home', 'Recent changes'],
  ['timeline', 'Show what was known'],
  ['activity', 'This call as code'],
  ['review', 'Nothing to review'],
] as const;
