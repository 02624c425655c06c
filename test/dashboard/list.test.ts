import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { limits } from '../../src/contract/limits.ts';
import { ownerKey, type Service, spawnService } from '../e2e/service.ts';
import {
  isMissing,
  isTooWide,
  type Look,
  launchBrowser,
  openPage,
  shot,
  violationsOf,
} from './browser.ts';

if (isMissing) it.skip('needs Chromium (CHROMIUM=path): the dashboard is not tried in a browser');

describe.skipIf(isMissing)('the list of memories', () => {
  let browser: Browser;
  let service: Service;
  let data_dir: string;

  beforeAll(async () => {
    data_dir = mkdtempSync(join(tmpdir(), 'mneme-list-'));
    service = await spawnService({ data_dir });
    browser = await launchBrowser();
    await add('Ada keeps bees.', 'ada');
    await add('Ada grows figs.', 'ada');
    await add('Grace likes tea.', 'grace');
  });

  afterAll(async () => {
    await browser.close();
    service.kill('SIGKILL');
    await service.exited;
    rmSync(data_dir, { recursive: true, force: true });
  });

  const open = (look: Look = {}) => openPage({ browser, service }, look);

  async function add(text: string, user_id: string): Promise<void> {
    const body = { text, user_id, infer: false };
    const { body: answer } = await service.send('POST', '/v1/memories/', { key: ownerKey, body });
    expect(answer).not.toHaveProperty('error');
  }

  async function addMany(count: number, user_id: string): Promise<void> {
    const times = {
      created_at: '2026-01-31T12:00:00.000Z',
      updated_at: '2026-01-31T12:00:00.000Z',
    };
    const lines = Array.from({ length: count }, (_, at) => {
      return { kind: 'memory', id: randomUUID(), memory: `Fact ${at}`, user_id, ...times };
    });
    for (let at = 0; at < count; at += limits.import_lines_max) {
      const body = { lines: lines.slice(at, at + limits.import_lines_max), format: 'mneme' };
      const { body: answer } = await service.send('POST', '/v1/imports/', { key: ownerKey, body });
      expect(answer).not.toHaveProperty('error');
    }
  }

  /** Lets the first batch of a change through, and no later one until it is told to. */
  async function failSecond(page: Page): Promise<() => Promise<void>> {
    let sent = 0;
    await page.route('**/v1/batch/', (route) => {
      sent += 1;
      return sent > 1 ? route.abort() : route.continue();
    });
    return () => page.unroute('**/v1/batch/');
  }

  /** Chooses more than one request changes. */
  async function choose1001(page: Page): Promise<void> {
    await page.getByRole('button', { name: 'Choose the first 1,000' }).click();
    await page.getByText('1,000 chosen').waitFor();
    await page.locator('.table').press('End');
    await page.locator('.row[aria-posinset="1001"]').getByRole('checkbox').check();
    await page.getByText('1,001 chosen').waitFor();
  }

  const row = (page: Page, text: string) =>
    page.getByRole('list', { name: 'Memories' }).getByRole('button', { name: text });
  const counted = (page: Page, count: number) =>
    page.getByText(count === 1 ? '1 memory' : `${count} memories`, { exact: true }).waitFor();
  const json = (page: Page) => page.getByLabel('Conditions as the API takes them');

  it('is filtered by menus, which write the JSON, the chips and the address', async () => {
    const { page, problems } = await open();
    await counted(page, 3);

    await page.getByText('Filter', { exact: true }).click();
    await page.getByLabel('User', { exact: true }).fill('ada');
    await page.getByLabel('User', { exact: true }).press('Enter');
    await counted(page, 2);
    await page.getByRole('combobox', { name: 'Source' }).selectOption('user');
    await page.getByRole('button', { name: 'Remove the condition source_class' }).waitFor();
    const written = await json(page).inputValue();

    expect(JSON.parse(written)).toEqual({ user_id: 'ada', source_class: 'user' });
    expect(page.url()).toContain('user_id=ada&source_class=user');
    await page.reload();
    await page.getByRole('button', { name: 'Remove the condition user_id' }).waitFor();
    await page.goBack();
    await page.goBack();
    await counted(page, 3);
    expect(problems).toEqual([]);
    await page.context().close();
  });

  it('reads what its menus offer when they are opened, and not before', async () => {
    const { page, problems } = await open();
    const read: string[] = [];
    page.on('request', (request) => {
      if (/\/(entities|filters)\//.test(request.url())) read.push(request.url());
    });
    await page.reload();
    await counted(page, 3);
    const before = [...read];

    await page.getByText('Filter', { exact: true }).click();
    await page
      .locator('datalist#values-user_id option[value="grace"]')
      .waitFor({ state: 'attached' });

    expect(before).toEqual([]);
    expect(read.length).toBeGreaterThan(0);
    expect(problems).toEqual([]);
  });

  it('keeps JSON that no menu expresses as a chip', async () => {
    const { page } = await open();

    await page.getByText('Filter', { exact: true }).click();
    await json(page).fill('{"user_id": "ada", "OR": [{"keywords": "bees"}]}');
    await page.getByRole('button', { name: 'Apply' }).click();
    await counted(page, 1);
    await page.getByRole('button', { name: 'Remove the condition OR' }).click();

    await counted(page, 2);
    await page.context().close();
  });

  it('opens what is clicked beside it, by an address of its own', async () => {
    const { page, problems } = await open();

    await row(page, 'Ada keeps bees.').click();
    const detail = page.getByRole('complementary', { name: 'Memory' });
    const id = await detail.locator('.facts code').last().textContent();
    expect(page.url()).toContain(`open=${id}`);
    await page.goto(`${service.url}/dashboard#memories/${id}`);
    await page.reload();
    await detail.locator('.memory', { hasText: 'Ada keeps bees.' }).waitFor();
    await counted(page, 3);
    await detail.getByRole('button', { name: 'Close' }).click();
    await detail.waitFor({ state: 'detached' });

    expect(problems).toEqual([]);
    await page.context().close();
  });

  it('is filtered by the owner in a row, and cleared at once if nothing fits', async () => {
    const { page } = await open();

    await page.getByRole('button', { name: 'Filter by user_id grace' }).click();
    await counted(page, 1);
    await page.keyboard.press('/');
    await page.keyboard.type('bees');
    await page.keyboard.press('Enter');
    await page.getByText('No memory fits words, user_id.').waitFor();
    await page.getByRole('button', { name: 'Clear all' }).last().click();

    await counted(page, 3);
    await page.context().close();
  });

  it.each([
    ['filters=%7B', 'not a JSON object'],
    ['filters=%7B%22colour%22%3A1%7D', 'unknown field "colour"'],
    ['type=fact&sort=text', 'must be one of'],
  ])('says what is wrong with an address (%s)', async (query, message) => {
    const { page } = await open({ view: `#memories?${query}` });

    await page.getByRole('alert').filter({ hasText: message }).waitFor();
    const chips = await page.getByRole('button', { name: /^Remove the condition/ }).count();
    expect([chips, await page.getByText('Loading').count()]).toEqual([0, 0]);
    await page.getByRole('button', { name: 'Clear all' }).click();
    await counted(page, 3);
    await page.context().close();
  });

  it('is sorted by its heads, and has the columns that were chosen', async () => {
    const { page } = await open();
    const texts = () => page.locator('.row .text button').allTextContents();

    await page.getByRole('button', { name: 'Sort by created, oldest first' }).click();
    await page.getByRole('button', { name: 'Sort by created, newest first' }).waitFor();
    await expect.poll(texts).toEqual(['Ada keeps bees.', 'Ada grows figs.', 'Grace likes tea.']);
    expect(page.url()).toContain('sort=created_at');
    await page.getByText('Columns', { exact: true }).first().click();
    await page.getByLabel('Updated').check();
    await page.getByLabel('Owner').uncheck();
    await page.reload();
    await page.getByRole('button', { name: 'Sort by updated, newest first' }).waitFor();

    expect(await page.getByRole('button', { name: 'Filter by user_id ada' }).count()).toBe(0);
    await page.context().close();
  });

  it.each([
    { width: 390, colorScheme: 'light' },
    { width: 390, colorScheme: 'dark' },
    { width: 1024, colorScheme: 'light' },
    { width: 1600, colorScheme: 'dark' },
  ] as const)('is accessible and fits $width pixels, $colorScheme', async (look) => {
    const { page, problems } = await open(look);
    await row(page, 'Ada keeps bees.').waitFor();
    await page.getByText('Filter', { exact: true }).click();
    const menus = await violationsOf(page);
    await shot(page, `menus-${look.width}-${look.colorScheme}`);
    await page.getByText('Filter', { exact: true }).click();
    await shot(page, `list-${look.width}-${look.colorScheme}`);
    const isBelow = await page.locator('.row .below').first().isVisible();
    await row(page, 'Ada keeps bees.').click();
    await page.locator('ins').first().waitFor();
    await shot(page, `open-${look.width}-${look.colorScheme}`);

    expect([menus, await violationsOf(page)]).toEqual([[], []]);
    expect(isBelow).toBe(look.width === 390);
    expect(await page.evaluate(isTooWide)).toBe(false);
    expect(problems).toEqual([]);
    await page.context().close();
  });

  it.each([390, 1600])(
    'leaves the rows where they are when one is chosen, at %i',
    async (width) => {
      const { page } = await open({ width });
      const tops = async () => {
        const rows = await page.locator('.row').all();
        return Promise.all(rows.map(async (one) => (await one.boundingBox())?.y));
      };
      await row(page, 'Ada keeps bees.').waitFor();
      const before = await tops();

      await page.getByLabel('Choose Ada keeps bees.').check();
      await page.getByText('1 chosen', { exact: true }).waitFor();

      expect(before.length).toBeGreaterThan(2);
      expect(await tops()).toEqual(before);
      expect(await violationsOf(page)).toEqual([]);
      await shot(page, `chosen-${width}`);
      await page.context().close();
    },
  );

  it('says how many came since, and shows them beside what is open', async () => {
    const { page, problems } = await open();
    await row(page, 'Ada keeps bees.').click();

    await add('Eve rows.', 'eve');
    await page.getByRole('button', { name: '1 new', exact: true }).click({ timeout: 20_000 });
    await row(page, 'Eve rows.').waitFor();

    const detail = page.getByRole('complementary', { name: 'Memory' });
    expect(await detail.locator('.memory').textContent()).toBe('Ada keeps bees.');
    expect(problems).toEqual([]);
    await page.context().close();
  });

  it('chooses all that the filter lists, beyond the rows in view, deletes and undoes', async () => {
    const memories = Array.from({ length: 150 }, (_, at) => ({ text: `Hal counts ${at} sheep.` }));
    for (const { text } of memories) await add(text, 'hal');
    const { page, problems } = await open({ view: '#memories?user_id=hal' });
    const undos: string[] = [];
    page.on('request', (one) => one.url().includes('/undo/') && undos.push(one.url()));

    await page.getByRole('button', { name: 'Choose all 150' }).click();
    await page.getByText('150 chosen').waitFor();
    await page.getByRole('button', { name: 'Pin', exact: true }).click();
    await page.getByText('150 chosen').waitFor({ state: 'detached' });
    const pinned = await page.locator('.row .tag').count();
    await page.getByRole('button', { name: 'Choose all 150' }).click();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByRole('button', { name: 'Delete for now' }).click();
    await page.getByText('150 memories are deleted.').waitFor();
    await page.getByText('No memory fits').waitFor();
    await page.getByRole('button', { name: 'Undo', exact: true }).click();
    await counted(page, 150);

    expect(pinned).toBeGreaterThan(5);
    expect(undos).toHaveLength(1);
    expect(problems).toEqual([]);
    await page.context().close();
  });

  it('shows what a deletion did that failed half-way, deletes the rest and undoes all', async () => {
    await addMany(1001, 'ivy');
    const { page } = await open({ view: '#memories?user_id=ivy' });
    const mend = await failSecond(page);

    await choose1001(page);
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByRole('button', { name: 'Delete for now' }).click();
    await page.getByRole('dialog', { name: 'Delete this memory?' }).getByRole('alert').waitFor();
    await counted(page, 1);
    await page.getByText('1,000 memories are deleted.').waitFor();
    await page.getByText('1 chosen', { exact: true }).waitFor();
    await mend();
    await page.getByRole('button', { name: 'Delete for now' }).click();
    await page.getByText('1,001 memories are deleted.').waitFor();
    await page.getByText('No memory fits').waitFor();
    await page.getByRole('button', { name: 'Undo', exact: true }).click();

    await page.getByText('1,001 memories', { exact: true }).waitFor();
    await page.context().close();
  });

  it('keeps chosen what a change did not reach that failed half-way', async () => {
    await addMany(1001, 'jim');
    const { page } = await open({ view: '#memories?user_id=jim' });
    const mend = await failSecond(page);

    await choose1001(page);
    await page.getByRole('button', { name: 'Pin', exact: true }).click();
    await page.locator('.bulk').getByRole('alert').waitFor();
    await page.getByText('1 chosen', { exact: true }).waitFor();
    await mend();
    await page.getByRole('button', { name: 'Pin', exact: true }).click();
    await page.getByText('1 chosen', { exact: true }).waitFor({ state: 'detached' });

    await expect.poll(() => page.locator('.row:not(:has(.tag))').count()).toBe(0);
    expect(await page.locator('.row .tag').count()).toBeGreaterThan(5);
    await page.context().close();
  });
});
