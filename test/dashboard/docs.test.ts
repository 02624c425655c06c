import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { contract } from '../../src/contract.ts';
import { ownerKey, type Service, spawnService } from '../e2e/service.ts';
import { isMissing, isTooWide, launchBrowser, shot, violationsOf } from './browser.ts';

if (isMissing) it.skip('needs Chromium (CHROMIUM=path): /docs is not tried in a browser');

describe.skipIf(isMissing)('the reference at /docs', () => {
  let browser: Browser;
  let service: Service;
  let data_dir: string;

  beforeAll(async () => {
    data_dir = mkdtempSync(join(tmpdir(), 'mneme-docs-'));
    service = await spawnService({ data_dir });
    browser = await launchBrowser();
  });

  afterAll(async () => {
    await browser.close();
    service.kill('SIGKILL');
    await service.exited;
    rmSync(data_dir, { recursive: true, force: true });
  });

  async function open({
    width = 1600,
    colorScheme = 'light',
    javaScriptEnabled = true,
  }: {
    width?: number;
    colorScheme?: 'light' | 'dark';
    javaScriptEnabled?: boolean;
  }) {
    const viewport = { width, height: 900 };
    const page = await browser.newPage({ viewport, colorScheme, javaScriptEnabled });
    page.setDefaultTimeout(10_000);
    const problems: string[] = [];
    page.on('console', (line) => line.type() === 'error' && problems.push(line.text()));
    page.on('pageerror', ({ message }) => problems.push(message));
    page.on('request', (request) => {
      if (!request.url().startsWith(service.url)) problems.push(request.url());
    });
    await page.goto(`${service.url}/docs`);
    return { page, problems };
  }

  it('has every operation once, with an example in three languages', async () => {
    const { page, problems } = await open({});

    const shown = await page.locator('.operation').evaluateAll((all) => all.map(({ id }) => id));
    const examples = await page.locator('.operation > .code pre').allTextContents();

    expect(shown.toSorted()).toEqual(Object.keys(contract).toSorted());
    expect(examples).toHaveLength(shown.length * 3);
    expect(examples.filter((text) => !text.includes(service.url))).toEqual([]);
    expect(problems).toEqual([]);
  });

  it('recommends one path of an operation, and folds the others', async () => {
    const { page } = await open({});
    await page.getByRole('searchbox', { name: 'Find an operation' }).fill('search memories');
    const operation = page.locator('#search_memories');
    await operation.getByText('/v2/memories/search/').first().click();

    const other = operation.getByText('POST /v1/memories/search/', { exact: true });
    expect(await other.isVisible()).toBe(false);
    await operation.getByText('Other paths').click();
    expect(await other.isVisible()).toBe(true);
    expect(await page.locator('.operation:visible').count()).toBe(1);
  });

  it.each([ownerKey, `Token ${ownerKey}`, `Authorization: Bearer ${ownerKey}`])(
    'sends a request with the key and its scheme, however it was pasted (%#)',
    async (pasted) => {
      const { page, problems } = await open({});
      await page.getByLabel('API key or access token').fill(pasted);
      await page.getByRole('button', { name: 'Use it' }).click();
      await page.getByText('Requests of this page carry Authorization: Token').waitFor();

      await page.locator('#ping > summary').click();
      const sent = page.waitForRequest(/ping/);
      await page.locator('#ping').getByRole('button', { name: 'Send' }).click();
      await page.locator('#ping output', { hasText: '200 OK' }).waitFor();

      expect((await sent).headers().authorization).toBe(`Token ${ownerKey}`);
      expect(problems).toEqual([]);
    },
  );

  it('sends an access token as Bearer, and shows the refusal', async () => {
    const { page } = await open({});
    await page.getByLabel('API key or access token').fill('eyJh.eyJz.c2ln');
    await page.getByRole('button', { name: 'Use it' }).click();

    await page.locator('#get_stats > summary').click();
    await page.locator('#get_stats').getByRole('button', { name: 'Send' }).click();

    await page.locator('#get_stats output', { hasText: '401' }).waitFor();
    expect(await page.locator('#get_stats .code pre').first().textContent()).toContain('Bearer $');
  });

  it('says what is wrong with a key or an input, and sends neither', async () => {
    const { page, problems } = await open({});
    await page.getByLabel('API key or access token').fill('two words');
    await page.getByRole('button', { name: 'Use it' }).click();
    await page.getByText('A key consists of visible ASCII letters').waitFor();

    await page.locator('#get_memory > summary').click();
    await page.locator('#get_memory textarea').fill('{}');
    await page.locator('#get_memory').getByRole('button', { name: 'Send' }).click();
    await page.locator('#get_memory output', { hasText: 'memory_id: is required' }).waitFor();

    expect(problems).toEqual([]);
  });

  it('asks once more before it deletes', async () => {
    const { page } = await open({});
    const requests: string[] = [];
    page.on('request', (request) => requests.push(request.method()));
    await page.locator('#delete_all_memories > summary').click();
    const operation = page.locator('#delete_all_memories');

    await operation.getByRole('button', { name: 'Send' }).click();
    await operation.getByRole('button', { name: 'This changes what is stored' }).waitFor();
    expect(requests).toEqual([]);
    await operation.getByRole('button', { name: 'This changes what is stored' }).click();
    await operation.locator('output', { hasText: '401' }).waitFor();
    expect(requests).toEqual(['DELETE']);
  });

  it('opens the operation of a link, and finds operations by words and by key', async () => {
    const { page } = await open({});
    await page.goto(`${service.url}/docs#get_context`);
    await page.locator('#get_context[open]').waitFor();

    await page.keyboard.press('/');
    await page.keyboard.type('no such operation');

    await page.getByText('No operation has these words.').waitFor();
  });

  it('can be read without JavaScript', async () => {
    const { page } = await open({ javaScriptEnabled: false });

    await page.locator('#add_memory > summary').click();

    await page.locator('#add_memory').getByText('curl -X POST').waitFor();
    expect(await page.locator('#add_memory').getByRole('button').count()).toBe(0);
  });

  it.each([
    { width: 360, colorScheme: 'light' },
    { width: 360, colorScheme: 'dark' },
    { width: 1600, colorScheme: 'light' },
    { width: 1600, colorScheme: 'dark' },
  ] as const)('is accessible and fits at $width pixels, $colorScheme', async (look) => {
    const { page, problems } = await open(look);
    const name = `docs-${look.width}-${look.colorScheme}`;
    await shot(page, name);
    const first = await violationsOf(page);
    for (const id of ['search_memories', 'create_webhook', 'delete_entity']) {
      await page.locator(`#${id} > summary`).click();
      for (const more of await page.locator(`#${id} .more > summary`).all()) await more.click();
    }
    await page.locator('#get_stats > summary').click();
    await page.locator('#get_stats').getByRole('button', { name: 'Send' }).click();
    await page.locator('#get_stats output', { hasText: '401' }).waitFor();
    await page.locator('#search_memories').scrollIntoViewIfNeeded();
    await shot(page, `${name}-operation`);

    expect([first, await violationsOf(page)]).toEqual([[], []]);
    expect(await page.evaluate(isTooWide)).toBe(false);
    // The refusal that it shows; nothing else.
    expect(problems.filter((problem) => !problem.includes('401'))).toEqual([]);
  });
});
