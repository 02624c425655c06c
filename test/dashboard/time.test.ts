import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
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

if (isMissing) it.skip('needs Chromium (CHROMIUM=path): the timeline is not tried in a browser');

describe.skipIf(isMissing)('the timeline', () => {
  let browser: Browser;
  let service: Service;
  let reader: string;
  let data_dir: string;

  beforeAll(async () => {
    data_dir = mkdtempSync(join(tmpdir(), 'mneme-time-'));
    service = await spawnService({ data_dir });
    browser = await launchBrowser();
    reader = await createKey(data_dir, ['--read-only']);
    await add('Ada keeps bees.', { user_id: 'ada' });
  });

  afterAll(async () => {
    await browser.close();
    service.kill('SIGKILL');
    await service.exited;
    rmSync(data_dir, { recursive: true, force: true });
  });

  const open = (look: Look) => openPage({ browser, service }, look);

  async function add(text: string, ids: Record<string, string>): Promise<string> {
    const body = { text, infer: false, ...ids };
    const answer = await service.send('POST', '/v1/memories/', { key: ownerKey, body });
    return String(listOf(answer)[0]?.id);
  }

  async function textsOf(user_id: string): Promise<unknown[]> {
    const body = { filters: { user_id } };
    const answer = await service.send('POST', '/v2/memories/', { key: ownerKey, body });
    return listOf(answer).map(({ memory }) => memory);
  }

  it('names a moment once, keeps a name that is taken, and deletes the name', async () => {
    const { page } = await open({ view: '#timeline/snapshots' });
    const name = page.getByLabel('Name of this moment');

    await name.fill('before');
    await page.getByRole('button', { name: 'Create' }).click();
    const row = page.getByRole('listitem').filter({ hasText: 'before' });
    await row.waitFor();
    await name.fill('before');
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('alert').filter({ hasText: 'Another snapshot has this name' }).waitFor();
    const typed = await name.inputValue();
    await row.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('button', { name: 'Delete it' }).click();
    await page.getByText('No time has a name yet').waitFor();

    expect(typed).toBe('before');
  });

  it('compares a snapshot with now, for one owner, in the address', async () => {
    const body = { name: 'start' };
    await service.send('POST', '/v1/snapshots/', { key: ownerKey, body });
    await add('Bob rows.', { user_id: 'bob' });
    await add('Cleo sings.', { user_id: 'cleo' });
    const { page, problems } = await open({ view: '#timeline/snapshots' });

    await page.getByRole('link', { name: 'Compare with now' }).click();
    await page.getByText('2 added, 0 changed, 0 removed').waitFor();
    await page.getByLabel('Owner', { exact: true }).fill('bob');
    await page.keyboard.press('Enter');
    await page.getByText('1 added, 0 changed, 0 removed').waitFor();
    await page.reload();

    await page.locator('ins', { hasText: 'Bob rows.' }).waitFor();
    expect(page.url()).toContain('user_id=bob');
    expect(problems).toEqual([]);
  });

  it.each([
    ['from=2026-03-01&to=2026-02-01', 'from=2026-02-01&to=2026-03-01'],
    ['from=start&to=2026-02-01', 'from=2026-02-01&to=start'],
  ])('says that times are the wrong way round (%s), and swaps them', async (query, swapped) => {
    const { page, problems } = await open({ view: `#timeline/compare?${query}` });

    const said = page.getByRole('alert').filter({ hasText: '“From” is later than “To”' });
    await said.waitFor();
    const alerts = await page.getByRole('alert').count();
    await said.getByRole('button', { name: 'Swap them' }).click();
    await page.getByText(/\d added, \d changed, \d removed/).waitFor();

    expect(alerts).toBe(1);
    expect(page.url()).toContain(swapped);
    expect(problems).toEqual([]);
  });

  it('undoes all since a snapshot for one owner, and undoes that', async () => {
    const { page, problems } = await open({ view: '#timeline/undo?since=start&user_id=bob' });

    const goes = page.getByRole('region', { name: 'Goes' });
    await goes.locator('del', { hasText: 'Bob rows.' }).waitFor();
    const before = await textsOf('bob');
    await page.getByRole('button', { name: 'Undo all of this' }).click();
    await page.getByRole('button', { name: 'Undo it' }).click();
    await page.getByText('Undone: 1 memory').waitFor();
    const after = [await textsOf('bob'), await textsOf('cleo')];
    await page.getByRole('button', { name: 'Undo the undo' }).click();
    await page.getByRole('dialog').locator('ins', { hasText: 'Bob rows.' }).waitFor();
    await page.getByRole('button', { name: 'Undo it' }).click();
    await expect.poll(() => textsOf('bob')).toEqual(['Bob rows.']);

    expect([before, after]).toEqual([['Bob rows.'], [[], ['Cleo sings.']]]);
    expect(problems).toEqual([]);
  });

  it('takes back what an agent did since a time of day', async () => {
    await add('The bot guesses.', { agent_id: 'bot' });
    const { page } = await open({ view: '#timeline/undo?agent_id=bot' });

    const today = new Date().toISOString().slice(0, 10);
    await page.getByLabel('All changes since: day', { exact: true }).fill(today);
    await page.getByLabel('All changes since: time of day').fill('00:00');

    const goes = page.getByRole('region', { name: 'Goes' });
    await goes.locator('del', { hasText: 'The bot guesses.' }).waitFor();
    expect(await goes.locator('del').count()).toBe(1);
    expect(page.url()).toContain(`since=${today}T00%3A00`);
  });

  it('undoes one change in the list of days', async () => {
    await add('Dan walks.', { user_id: 'dan' });
    const { page } = await open({ view: '#timeline?user_id=dan' });

    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('button', { name: 'Undo it' }).click();
    await page.getByText('Undone: 1 memory').waitFor();

    expect(await textsOf('dan')).toEqual([]);
  });

  it('begins with the days, and draws the chart below them when it is opened', async () => {
    const id = await add('Eva lives in Porto.', { user_id: 'eva' });
    const body = { text: 'Eva lives in Coimbra.' };
    await service.send('PUT', `/v1/memories/${id}/`, { key: ownerKey, body });
    const { page, problems } = await open({ view: '#timeline?user_id=eva' });
    await page.locator('ins', { hasText: 'Coimbra' }).waitFor();
    const drawn = await page.locator('canvas').count();

    await page.getByText('Chart: learned on, true since').click();
    await page
      .getByText('Lines lead from an earlier text of a memory to its present one.')
      .waitFor();
    await page.locator('canvas').scrollIntoViewIfNeeded();
    await shot(page, 'timeline-chart');

    const days = await page.locator('.day').last().boundingBox();
    const chart = await page.locator('canvas').boundingBox();
    expect(drawn).toBe(0);
    expect(chart?.y).toBeGreaterThan(days?.y ?? 0);
    expect(await violationsOf(page)).toEqual([]);
    expect(problems).toEqual([]);
  });

  it('lists the days while the first of all is still read', async () => {
    await add('Fay paints.', { user_id: 'fay' });
    const { page, problems } = await open({ view: '#ask' });
    let goOn = () => {};
    const held = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    await page.route('**/v1/memories/events/?*', async (route) => {
      if (new URL(route.request().url()).searchParams.get('page_size') === '1') await held;
      await route.continue();
    });

    await page.evaluate(`location.hash = '#timeline?user_id=fay'`);
    await page.locator('.day').getByText('Fay paints.').waitFor();
    const before = await page.locator('.slider').textContent();
    goOn();
    await page.getByText(/From tomorrow on|Memories and Ask will also/).waitFor();

    expect(before).toContain('Loading…');
    expect(problems).toEqual([]);
  });

  it('shows a reader and the past no button that would be refused', async () => {
    const { page } = await open({ key: reader, view: '#timeline' });
    await page.getByText('Show what was known').waitFor();
    const days = await page.getByRole('button', { name: 'Undo' }).count();
    const tabs = await page.getByRole('navigation', { name: 'Timeline' }).textContent();
    await page.goto(`${service.url}/dashboard#timeline/snapshots`);
    await page.getByText('start').waitFor();
    const buttons = await page.getByRole('main').getByRole('button').allTextContents();

    expect([days, tabs]).toEqual([0, 'DaysCompareSnapshots']);
    expect(buttons.filter((name) => /Create|Delete|Undo/.test(name))).toEqual([]);
  });

  it.each([
    { width: 390, colorScheme: 'light' },
    { width: 1600, colorScheme: 'dark' },
  ] as const)('is accessible and fits at $width pixels, $colorScheme', async (look) => {
    const { page, problems } = await open(look);
    for (const [view, mark] of [
      ['', 'Show what was known'],
      ['/compare?from=start', 'added'],
      ['/snapshots', 'start'],
      ['/undo?since=start', 'This would undo'],
    ] as const) {
      await page.goto(`${service.url}/dashboard#timeline${view}`);
      await page.getByRole('main').getByText(mark).first().waitFor();
      await shot(page, `timeline${view.replace(/\W/g, '-')}-${look.width}`);

      expect([view, await violationsOf(page)]).toEqual([view, []]);
      expect([view, await page.evaluate(isTooWide)]).toEqual([view, false]);
    }
    expect(problems).toEqual([]);
  });
});
