import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
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

if (isMissing) it.skip('needs Chromium (CHROMIUM=path): People is not tried in a browser');

describe.skipIf(isMissing)('people in the dashboard', () => {
  let browser: Browser;
  let service: Service;
  let data_dir: string;

  beforeAll(async () => {
    data_dir = mkdtempSync(join(tmpdir(), 'mneme-people-'));
    service = await spawnService({ data_dir });
    browser = await launchBrowser();
  });

  afterAll(async () => {
    await browser.close();
    service.kill('SIGKILL');
    await service.exited;
    rmSync(data_dir, { recursive: true, force: true });
  });

  const open = (look: Look) => openPage({ browser, service }, { view: '#people', ...look });

  async function add(text: string, ids: object, more: object = {}): Promise<void> {
    const body = { text, infer: false, async_mode: false, ...ids, ...more };
    const { status } = await service.send('POST', '/v1/memories/', { key: ownerKey, body });
    expect(status).toBe(200);
  }

  async function textsOf(user_id: string): Promise<unknown[]> {
    const body = { filters: { user_id } };
    const answer = await service.send('POST', '/v2/memories/', { key: ownerKey, body });
    return listOf(answer).map(({ memory }) => memory);
  }

  const namesIn = (page: Page) => page.locator('tbody th a').allTextContents();

  it('says what brings somebody here while nobody is known', async () => {
    const { page, problems } = await open({});

    await page.getByText('No users yet').waitFor();

    expect(await violationsOf(page)).toEqual([]);
    expect(problems).toEqual([]);
  });

  it('lists each kind with counts, and keeps kind, order, words and page in the address', async () => {
    for (let n = 0; n < 60; n += 1) await add(`Number ${n} is here.`, { user_id: `user-${n}` });
    await add('Ada keeps bees.', { user_id: 'ada', agent_id: 'helper' });
    await add('Ada lives in Porto.', { user_id: 'ada', run_id: 'monday' });
    const { page, problems } = await open({});

    await page.getByText('Page 1 of 2').waitFor();
    const kinds = await page.getByRole('navigation', { name: 'Kinds' }).getByRole('link').all();
    const counts = await Promise.all(kinds.map((one) => one.textContent()));
    await page.getByRole('button', { name: 'Memories' }).click();
    await page.locator('tbody tr').first().getByText('ada').waitFor();
    await page.getByRole('button', { name: 'Name' }).click();
    await page.getByRole('link', { name: 'Next' }).click();
    await page.getByText('Page 2 of 2').waitFor();
    const last = await namesIn(page);
    await page.reload();
    await page.getByText('Page 2 of 2').waitFor();
    const again = await namesIn(page);
    await page.getByLabel('Part of a name or id').fill('ADA');
    await page.keyboard.press('Enter');
    await page.locator('tbody').getByRole('link', { name: 'ada' }).waitFor();
    const found = await namesIn(page);
    await page.goBack();
    await page.getByText('Page 2 of 2').waitFor();
    await page.getByRole('link', { name: 'Agents' }).click();
    await page.getByRole('link', { name: 'helper' }).waitFor();

    expect(counts).toEqual(['Users 61', 'Agents 1', 'Apps 0', 'Sessions 1']);
    expect(last.at(-1)).toBe('user-9');
    expect(again).toEqual(last);
    expect(found).toEqual(['ada']);
    expect(page.url()).toMatch(/#people\?entity_type=agent&sort=name$/);
    expect(problems).toEqual([]);
  });

  it('says that nobody fits the search', async () => {
    const { page, problems } = await open({ view: '#people?query=%3Cb%3Enobody&page=x' });

    await page.getByText('No user has “<b>nobody” in its name or id').waitFor();

    expect(problems).toEqual([]);
  });

  it('shows what is known of somebody, and leads to more', async () => {
    const soon = new Date(Date.now() + 3 * 86_400_000);
    const day = soon.toLocaleDateString('en', { day: 'numeric', month: 'long', year: 'numeric' });
    await add('Answer Ada in German.', { user_id: 'ada' }, { pinned: true });
    const body = {
      messages: [{ role: 'user', content: `I meet Bob on ${day}.` }],
      user_id: 'ada',
      async_mode: false,
    };
    await service.send('POST', '/v1/memories/', { key: ownerKey, body });
    const { page, problems } = await open({ view: '#people?sort=total_memories' });

    await page.getByRole('link', { name: 'ada', exact: true }).click();
    const part = (name: string) => page.getByRole('region', { name, exact: true });
    await part('Pinned and standing instructions').getByText('Answer Ada in German.').waitFor();
    await part('Next two weeks').getByText('Bob').waitFor();
    await part('Newest memories').getByText('Ada lives in Porto.').waitFor();
    await part('By topic').getByText('Ada keeps bees.').waitFor();
    await part('Sources').getByRole('link', { name: 'helper' }).waitFor();
    const facts = await page.locator('.facts').first().textContent();
    const links = await page
      .locator('.bar')
      .first()
      .getByRole('link')
      .evaluateAll((all) => {
        return all.map((one) => one.getAttribute('href'));
      });
    await part('Newest memories').getByText('Ada lives in Porto.').click();
    await page.locator('.memory', { hasText: 'Ada lives in Porto.' }).waitFor();
    const events = await service.send('GET', '/v1/events/?event_type=SEARCH', { key: ownerKey });

    expect(facts).toMatch(/^IdadaMemories4Changes4First addedjust now/);
    expect(links).toEqual(['#memories?user_id=ada', '#ask?user_id=ada', '#graph?user_id=ada']);
    // Nobody asked anything.
    expect(listOf(events)).toEqual([]);
    expect(problems).toEqual([]);
  });

  it('deletes all memories of somebody, and brings them back', async () => {
    await add('Ivy rows.', { user_id: 'ivy' });
    await add('Ivy swims.', { user_id: 'ivy' });
    const { page, problems } = await open({ view: '#people/user%2Fivy' });

    await page.getByRole('button', { name: 'Delete all memories' }).click();
    await page.getByText('2 memories, also those').waitFor();
    await page.getByRole('button', { name: 'Delete for now' }).click();
    await page.getByText('All memories are deleted.').waitFor();
    const deleted = await textsOf('ivy');
    await page.reload();
    await page.getByText('All memories are deleted.').waitFor();
    await page.getByRole('button', { name: 'Bring back what was deleted' }).click();
    await page.getByRole('button', { name: 'Undo it' }).click();
    await page.getByRole('region', { name: 'Newest memories' }).getByText('Ivy rows.').waitFor();

    expect(await page.getByText('All memories are deleted.').count()).toBe(0);
    expect(deleted).toEqual([]);
    expect((await textsOf('ivy')).toSorted()).toEqual(['Ivy rows.', 'Ivy swims.']);
    expect(problems).toEqual([]);
  });

  it('erases somebody whose name was typed, and keeps the receipt on the page', async () => {
    await add('Eve sells pills.', { user_id: 'eve' });
    const { page, problems } = await open({ view: '#people/user%2Feve' });

    await page.getByRole('button', { name: 'Erase', exact: true }).click();
    const erase = page.getByRole('button', { name: 'Erase forever' });
    const dialog = page.getByRole('dialog', { name: 'Erase eve?' });
    for (const heading of ['What is erased', 'What stays']) {
      await dialog.getByRole('heading', { name: heading }).waitFor();
    }
    await dialog.getByText('This cannot be undone. You get a receipt that proves it').waitFor();
    await shot(page, 'erase');
    const isOff = await erase.isDisabled();
    await page.getByLabel('Type eve to go on').fill('eve');
    await erase.click();
    const receipt = page.getByRole('region', { name: 'Receipt' });
    await receipt.getByText('A second look found nothing left.').waitFor();
    const violations = await violationsOf(page);
    await shot(page, 'receipt');
    const link = receipt.getByRole('link', { name: 'Download as JSON' });
    const name = await link.getAttribute('download');
    const downloading = page.waitForEvent('download');
    await link.click();
    const receiptFile = await (await downloading).path();
    const kept: unknown = JSON.parse(readFileSync(receiptFile, 'utf8'));

    expect([isOff, name]).toEqual([true, 'erasure-receipt.json']);
    expect(kept).toMatchObject({ entity_id: 'eve', deleted: 1, receipt: { remaining: {} } });
    expect(violations).toEqual([]);
    expect(await textsOf('eve')).toEqual([]);
    await page.reload();
    await page.getByText('Nothing is known of this user').waitFor();
    expect(problems.filter((problem) => !problem.includes('blob:'))).toEqual([]);
  });

  it('says what failed, and tries again', async () => {
    const { page } = await open({});
    await page.route(/\/entities\//, (route) =>
      route.fulfill({ status: 400, json: { message: 'not today' } }),
    );
    await page.getByRole('link', { name: 'Apps' }).click();
    await page.getByRole('alert').getByText('not today').waitFor();
    await page.unroute(/\/entities\//);
    await page.getByRole('button', { name: 'Try again' }).click();

    await page.getByText('No apps yet').waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
  });

  it.each([
    'a/b',
    '50%',
    '%2F',
    'what?',
    'x#y',
    'a&b=c',
    'two words',
    '42',
    'שלום עולם',
    '👩‍👩‍👧 family',
    '<img src=x onerror=globalThis.hacked=1>',
    '"><script>globalThis.hacked=1</script>',
  ])('has an address and a name as text for %s', async (user_id) => {
    await add('Somebody is here.', { user_id });
    const { page, problems } = await open({
      view: `#people?${new URLSearchParams({ query: user_id })}`,
    });

    await page.getByRole('link', { name: user_id, exact: true }).click();
    await page.getByRole('region', { name: 'Newest memories' }).getByText('Somebody').waitFor();
    const name = await page.locator('.person-name bdi').textContent();
    await page.reload();
    await page.getByRole('region', { name: 'Newest memories' }).getByText('Somebody').waitFor();

    expect(name).toBe(user_id);
    expect(await page.locator('.person-name bdi').textContent()).toBe(user_id);
    expect(await page.evaluate('globalThis.hacked')).toBeUndefined();
    expect(problems).toEqual([]);
    await page.context().close();
  });

  it('leads from what a profile says to the memories behind it', async () => {
    for (const text of ['Finn sails.', 'Finn lives in Cork.', 'Finn has a dog.']) {
      await add(text, { user_id: 'finn' });
    }
    const { page, problems } = await open({ view: '#people/user%2Ffinn' });

    const topics = page.getByRole('region', { name: 'By topic' });
    await topics.getByRole('link', { name: 'Finn lives in Cork.' }).click();
    await page.getByRole('main').getByText('Finn lives in Cork.').first().waitFor();

    expect(page.url()).toContain('#ask?user_id=finn&query=Finn+lives+in+Cork.');
    expect(problems).toEqual([]);
  });

  it('shows a reader nothing that would be refused', async () => {
    const { page } = await open({ key: readerKey(), view: '#people/user%2Fada' });

    await page.getByRole('region', { name: 'Newest memories' }).getByText('Porto').waitFor();

    expect(await page.locator('.bar').first().getByRole('button').count()).toBe(0);
    const path = '/v1/entities/?query=ada&sort=name&page=1';
    const wrong = { key: 'mk_wrong' };
    expect((await service.send('GET', path, wrong)).status).toBe(401);
    const unknown = await service.send('GET', `${path}&project_id=none`, { key: ownerKey });
    expect(unknown.status).toBe(404);
    const order = await service.send('GET', '/v1/entities/?sort=age', { key: ownerKey });
    expect(order.status).toBe(400);
  });

  it('shows those of a past day as they were, and changes nothing there', async () => {
    pretendPast('Liz walks.', '2026-01-05');
    await add('Liz runs.', { user_id: 'liz' });
    const { page, problems } = await open({ view: '#people?as_of=2026-02-01&sort=updated_at' });

    await page.getByRole('link', { name: 'liz' }).waitFor();
    const names = await namesIn(page);
    const headings = await page.getByRole('columnheader').allTextContents();
    await page.getByRole('link', { name: 'liz' }).click();
    await page.getByRole('region', { name: 'Newest memories' }).getByText('Liz walks.').waitFor();

    expect(names).toEqual(['liz']);
    expect(headings).toEqual(['Name', 'Memories', 'First added ↓']);
    expect(await page.getByText('Liz runs.').count()).toBe(0);
    expect(await page.locator('.bar').first().getByRole('button').count()).toBe(0);
    expect(problems).toEqual([]);
  });

  it.each([
    { width: 390, colorScheme: 'light' },
    { width: 390, colorScheme: 'dark' },
    { width: 1600, colorScheme: 'light' },
    { width: 1600, colorScheme: 'dark' },
  ] as const)('is accessible and fits at $width pixels, $colorScheme', async (look) => {
    const { page, problems } = await open({ ...look, view: '#people?sort=total_memories' });
    await page.getByRole('link', { name: 'ada', exact: true }).waitFor();
    const list = [await violationsOf(page), await page.evaluate(isTooWide)];
    await shot(page, `people-${look.width}-${look.colorScheme}`);
    await page.getByRole('link', { name: 'ada', exact: true }).click();
    await page.getByRole('region', { name: 'Sources' }).getByText('helper').waitFor();
    await page.getByRole('region', { name: 'By topic' }).getByText('Ada keeps bees.').waitFor();
    await shot(page, `person-${look.width}-${look.colorScheme}`);

    expect(list).toEqual([[], false]);
    expect([await violationsOf(page), await page.evaluate(isTooWide)]).toEqual([[], false]);
    expect(problems).toEqual([]);
  });

  function mneme(...args: string[]): string {
    return execFileSync(process.execPath, ['dist/cli.js', ...args], { encoding: 'utf8' });
  }

  /** Imports a memory that a store learned on an earlier day. */
  function pretendPast(text: string, day: string): void {
    const other = mkdtempSync(join(tmpdir(), 'mneme-people-'));
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
