import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
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
import { hostileTexts } from './hostile-texts.ts';

if (isMissing) it.skip('needs Chromium (CHROMIUM=path): Ask is not tried in a browser');

describe.skipIf(isMissing)('Ask, Graph and Replay', () => {
  const asked = '#ask?query=Where+does+Ada+live%3F&user_id=ada';
  let browser: Browser;
  let service: Service;
  let reader: string;
  let data_dir: string;

  beforeAll(async () => {
    data_dir = mkdtempSync(join(tmpdir(), 'mneme-ask-'));
    service = await spawnService({ data_dir });
    browser = await launchBrowser();
    reader = await createKey(data_dir, ['--read-only']);
    await add('Ada lives in Porto.');
    await add('Ada keeps bees.');
    await add('Ada lives with a cat that is called Tom.');
    await add('Bob lives in Bonn.', { user_id: 'bob' });
  });

  afterAll(async () => {
    await browser.close();
    service.kill('SIGKILL');
    await service.exited;
    rmSync(data_dir, { recursive: true, force: true });
  });

  const open = (look: Look) => openPage({ browser, service }, look);
  const found = (page: Page) => page.getByRole('list', { name: 'Found memories' });

  async function add(text: string, more: Record<string, unknown> = {}): Promise<unknown> {
    const body = { text, user_id: 'ada', infer: false, ...more };
    const answer = await service.send('POST', '/v1/memories/', { key: ownerKey, body });
    return listOf(answer)[0]?.id;
  }

  async function configure(settings: Record<string, unknown>): Promise<void> {
    const { body } = await service.send('GET', '/v1/ping/', { key: ownerKey });
    const path = `/v1/projects/${body.project_id}/`;
    const { status } = await service.send('PATCH', path, { key: ownerKey, body: settings });
    expect(status).toBe(200);
  }

  it('answers the question of the address, which a reload and Back keep', async () => {
    const { page, problems } = await open({ view: asked });
    await found(page).getByText('Ada lives in Porto.').waitFor();

    await page.getByLabel('Question').fill('Who keeps bees?');
    await page.keyboard.press('Enter');
    await found(page).getByText('Ada keeps bees.').waitFor();
    await page.reload();
    await found(page).getByText('Ada keeps bees.').waitFor();
    const reloaded = await page.getByLabel('Question').inputValue();
    await page.goBack();
    await found(page).getByText('Ada lives in Porto.').waitFor();

    expect(reloaded).toBe('Who keeps bees?');
    expect(await page.getByLabel('Question').inputValue()).toBe('Where does Ada live?');
    expect(await page.getByLabel('User', { exact: true }).inputValue()).toBe('ada');
    expect(problems).toEqual([]);
  });

  it('opens a result in place, and says why it was found', async () => {
    const { page, problems } = await open({ view: asked });

    await found(page).getByRole('button', { name: 'Why Ada lives in Porto.' }).click();
    const row = found(page).getByRole('listitem').filter({ hasText: 'Porto' });
    await row.getByText(/^Found by/).waitFor();
    await row.getByLabel('Words of the question').waitFor();
    const address = page.url();
    const owner = await row.getByRole('link', { name: 'ada', exact: true }).getAttribute('href');
    await page.getByText('How it was searched').click();
    await page.getByText('found by their words').waitFor();
    const violations = await violationsOf(page);
    await row.getByRole('link', { name: 'Ada lives in Porto.' }).click();
    await page.locator('.memory', { hasText: 'Ada lives in Porto.' }).waitFor();

    expect(address).toContain('memory_id=');
    expect(owner).toBe('#people/user%2Fada');
    expect(violations).toEqual([]);
    expect(problems).toEqual([]);
  });

  it('says once for each reason what is not used, in the answer and in the context', async () => {
    for (let index = 0; index < 12; index += 1) {
      await add(`Max lives on floor ${index}, where a very long corridor leads to his door.`, {
        user_id: 'max',
      });
    }
    const view = '#ask?query=Where+does+Max+live%3F&user_id=max&top_k=2&max_tokens=100';
    const { page, problems } = await open({ view });

    const results = page.getByRole('region', { name: 'Results' });
    const beyond = results.getByRole('list', { name: 'Not used: more than the 2 asked for' });
    await beyond.getByText('Max lives on floor').first().waitFor();
    const headings = await results.getByRole('heading', { name: 'Not used' }).allTextContents();
    await page.locator('summary', { hasText: 'Not used:' }).click();
    const left = page
      .getByRole('region', { name: 'Context' })
      .getByRole('list', { name: /^Not used: (over the token budget|scored too low)$/ });
    await left.getByRole('link', { name: 'Max lives on floor' }).first().waitFor();

    expect(new Set(headings).size).toBe(headings.length);
    expect(await page.getByRole('region', { name: 'Context' }).textContent()).toContain(
      'of 100 tokens',
    );
    expect(await page.getByLabel('Budget in tokens').inputValue()).toBe('100');
    expect(problems).toEqual([]);
  });

  it('offers who is known, and names the nearest of somebody who is not', async () => {
    const { page, problems } = await open({ view: '#ask' });
    const offered = page.locator('datalist#known-user option');
    await offered.first().waitFor({ state: 'attached' });
    const names = await offered.evaluateAll((all) => all.map((one) => one.getAttribute('value')));

    await page.getByLabel('Question').fill('Where does he live?');
    await page.getByLabel('User', { exact: true }).fill('bobb');
    await page.getByRole('button', { name: 'Ask' }).click();
    await page.getByText('No user of the name bobb has memories.').waitFor();
    await page.getByRole('link', { name: 'bob', exact: true }).click();
    await found(page).getByText('Bob lives in Bonn.').waitFor();

    expect(names).toEqual(expect.arrayContaining(['ada', 'bob']));
    expect(problems).toEqual([]);
  });

  it('shows both calls as code, with the question', async () => {
    const { page } = await open({ view: asked });
    await found(page).getByText('Ada lives in Porto.').waitFor();

    for (const summary of await page.getByText('These calls as code').all()) await summary.click();
    const codes = await page.locator('.call pre').allTextContents();

    expect(codes).toHaveLength(2);
    expect(codes[0]).toContain('/memories/search/');
    expect(codes[1]).toContain('/v1/context/');
    for (const code of codes) expect(code).toContain('Where does Ada live?');
  });

  it('says what is wrong with the address, and goes on after another question', async () => {
    const { page } = await open({ view: '#ask?query=Ada&max_tokens=5' });

    await page.getByRole('alert').getByText('max_tokens').waitFor();
    const kept = await page.getByLabel('Question').inputValue();
    await page.getByLabel('Budget in tokens').fill('200');
    await page.getByRole('button', { name: 'Ask', exact: true }).click();

    await found(page).getByText('Ada keeps bees.').waitFor();
    expect(kept).toBe('Ada');
  });

  it('answers as of a day, on which nothing was known yet', async () => {
    const { page, problems } = await open({ view: `${asked}&as_of=2020-01-01` });

    await page.getByText('No user of the name ada has memories.').waitFor();

    expect(problems).toEqual([]);
  });

  it('keeps the user of the graph in the address, and the places after a reload', async () => {
    await configure({ enable_graph: true });
    await add('My sister Anna lives in Oslo.', { enable_graph: true });
    await add('My brother Carl works at Acme.', { enable_graph: true, user_id: 'bob' });
    const { page, problems } = await open({ view: '#graph?user_id=ada' });
    const nodes = page.locator('svg.graph g.node');
    const places = () => nodes.evaluateAll((all) => all.map((one) => one.outerHTML).toSorted());
    await nodes.first().waitFor();

    await page.getByRole('link', { name: 'Anna' }).click();
    await page.getByRole('heading', { name: 'Anna' }).waitFor();
    const before = await places();
    await page.reload();
    await nodes.first().waitFor();
    await page.getByRole('heading', { name: 'Anna' }).waitFor();

    expect(await places()).toEqual(before);
    expect(page.url()).toContain('user_id=ada');
    expect(await page.locator('svg.graph').textContent()).not.toContain('Carl');
    expect(problems).toEqual([]);
  });

  it('lists recalls of one user, and says why one can’t be replayed', async () => {
    await configure({ keep_recalls: 'hash' });
    for (const user_id of ['ada', 'bob']) {
      const body = { query: `What of ${user_id}?`, filters: { user_id } };
      await service.send('POST', '/v2/memories/search/', { key: ownerKey, body });
    }
    await configure({ keep_recalls: 'off' });
    const { page, problems } = await open({ view: '#replay?user_id=bob' });

    await page.getByText('1 recall', { exact: true }).or(page.getByText('1 recall ')).waitFor();
    await page.getByText('keeps only a hash of questions').waitFor();
    await page.getByLabel('User', { exact: true }).fill('nobody');
    await page.getByRole('button', { name: 'Show' }).click();
    await page.getByText('No recall of the kind is kept.').waitFor();
    await page.goBack();
    await page.getByText('keeps only a hash of questions').waitFor();

    expect(problems).toEqual([]);
  });

  it('shows what differs before both answers, marks it in them, and folds the rest', async () => {
    const id = await add('Ida lives in Porto.', { user_id: 'ida' });
    for (const text of ['Ida keeps bees.', 'Ida rows on the lake.'])
      await add(text, { user_id: 'ida' });
    await configure({ keep_recalls: 'text' });
    const body = { query: 'Where does Ida live?', filters: { user_id: 'ida' }, top_k: 1 };
    await service.send('POST', '/v2/memories/search/', { key: ownerKey, body });
    await configure({ keep_recalls: 'off' });
    const change = { text: 'Ida lives in Coimbra.' };
    await service.send('PUT', `/v1/memories/${id}/`, { key: ownerKey, body: change });
    const { page, problems } = await open({ view: '#replay?user_id=ida' });

    await page.getByRole('link', { name: 'Replay Where does Ida live?' }).click();
    const differs = page.getByRole('list', { name: 'What differs' });
    await differs.locator('del', { hasText: 'Porto' }).waitFor();
    await differs.locator('ins', { hasText: 'Coimbra' }).waitFor();
    const headings = await page.getByRole('heading', { level: 2 }).allTextContents();
    const marked = await page.locator('.differs').allTextContents();
    await page.getByText('2 others, not used then or now').first().click();
    const folded = page.getByRole('list', { name: 'Not used: more than was asked for' }).first();
    await folded.getByText('Ida keeps bees.').waitFor();
    await shot(page, 'replayed-1600');
    const violations = await violationsOf(page);
    await page.setViewportSize({ width: 390, height: 900 });
    await shot(page, 'replayed-390');

    expect(headings.slice(1, 3)).toEqual([
      'What differs, and why',
      expect.stringMatching(/^Then as of/),
    ]);
    expect(marked).toEqual([
      expect.stringContaining('Ida lives in Porto. changed'),
      expect.stringContaining('Ida lives in Coimbra. changed'),
    ]);
    expect(violations).toEqual([]);
    expect(await page.evaluate(isTooWide)).toBe(false);
    expect(problems).toEqual([]);
  });

  it('lets a reader replay, and mend nothing', async () => {
    await configure({ keep_recalls: 'text' });
    const body = { query: 'Where does Ada live?', filters: { user_id: 'ada' } };
    await service.send('POST', '/v2/memories/search/', { key: ownerKey, body });
    await configure({ keep_recalls: 'off' });
    const { page, problems } = await open({ view: '#replay', key: reader });

    await page.getByRole('link', { name: 'Replay Where does Ada live?' }).click();
    await page.getByRole('region', { name: 'Now' }).getByText('Ada lives in Porto.').waitFor();

    expect(await page.getByRole('region', { name: 'Repair' }).count()).toBe(0);
    expect(problems).toEqual([]);
  });

  it('shows hostile texts as text', async () => {
    for (const text of hostileTexts.slice(0, 16)) await add(text, { user_id: 'mallory' });
    const params = new URLSearchParams({ query: 'Shape', user_id: 'mallory', top_k: '8' });
    const { page, problems } = await open({ view: `#ask?${params}` });

    await found(page).getByRole('button').first().click();
    await page.getByText(/^Found by/).waitFor();
    const odd = new URLSearchParams({ query: hostileTexts[0] ?? '', user_id: '<img src=x>' });
    await page.goto(`${service.url}/dashboard#ask?${odd}`);
    await page.getByText('No user of the name').waitFor();

    expect(await page.evaluate('globalThis.hacked')).toBeUndefined();
    expect(problems).toEqual([]);
  });

  it.each([
    { width: 390, colorScheme: 'light' },
    { width: 390, colorScheme: 'dark' },
    { width: 1600, colorScheme: 'light' },
    { width: 1600, colorScheme: 'dark' },
  ] as const)('is accessible and fits at $width pixels, $colorScheme', async (look) => {
    const { page, problems } = await open({ ...look, view: asked });
    await found(page).getByRole('button', { name: 'Why Ada lives in Porto.' }).click();
    await page.getByText(/^Found by/).waitFor();
    await shot(page, `ask-${look.width}-${look.colorScheme}`);
    const ask = await violationsOf(page);
    const tooWide = await page.evaluate(isTooWide);
    for (const view of ['graph', 'replay']) {
      await page.goto(`${service.url}/dashboard#${view}`);
      await page.getByRole('button', { name: 'Show' }).waitFor();
      await shot(page, `${view}-${look.width}-${look.colorScheme}`);
      expect([view, await violationsOf(page)]).toEqual([view, []]);
      expect([view, await page.evaluate(isTooWide)]).toEqual([view, false]);
    }

    expect([ask, tooWide]).toEqual([[], false]);
    expect(problems).toEqual([]);
  });
});
