import { readFileSync } from 'node:fs';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type * as library from '../../src/client.ts';
import { listen } from '../../src/rest/server/listen.ts';
import { owner } from '../support/engine.ts';
import { keyOf, serveRest } from '../support/rest-target.ts';
import { findBrowser, openSite, type Site } from './browser.ts';

/** What the page below offers to the functions that run in it. */
declare const mneme: typeof library;

const files = {
  '/client.mjs': readFileSync('dist/client.mjs', 'utf8'),
  '/': `<!doctype html><title>A page</title><script type="module">
    import * as mneme from './client.mjs';
    Object.assign(globalThis, { mneme });
  </script>`,
};

const executablePath = findBrowser();
const isMissing = executablePath === null;

if (isMissing) it.skip('needs Chromium (CHROMIUM=path): the client is not tried in a browser');

describe.skipIf(isMissing)('the client in a browser', () => {
  let browser: Browser;
  let page: Page;
  let stranger: Site;
  let instance: { base_url: string; api_key: string };
  const ends: (() => unknown)[] = [];

  beforeAll(async () => {
    const site = await openSite(files);
    stranger = await openSite(files);
    const served = await serveRest({ cors_origins: [site.origin] });
    const server = await listen(served.app.fetch, { host: '127.0.0.1', port: 0 });
    instance = { base_url: server.url, api_key: await keyOf(served, owner) };
    browser = await chromium.launch({
      executablePath: executablePath ?? 'chromium',
      args: ['--no-sandbox'],
    });
    page = await open(site);
    ends.push(() => browser.close(), site.close, stranger.close, server.close, served.engine.stop);
  });

  afterAll(async () => {
    for (const end of ends) await end();
  });

  /** A page that has loaded the client. */
  async function open(site: Site): Promise<Page> {
    const opened = await browser.newPage();
    await opened.goto(site.origin);
    await opened.waitForFunction('globalThis.mneme');
    return opened;
  }

  it('stores, waits, searches and lists', async () => {
    const seen = await page.evaluate(async (options) => {
      const client = mneme.createClient(options);
      const messages = [{ role: 'user', content: 'I keep bees. I live in Porto.' }];
      const { event_id } = await client.addMemory({ user_id: 'ada', messages });
      const { status } = await client.waitForEvent(event_id);
      const { results } = await client.searchMemories({ query: 'bees', user_id: 'ada' });
      const listed: unknown[] = [];
      for await (const { memory } of client.getMemories({ user_id: 'ada', page_size: 1 })) {
        listed.push(memory);
      }
      return { status, found: results.map(({ memory }) => memory), listed };
    }, instance);

    expect(seen).toMatchObject({ status: 'SUCCEEDED', found: ['User keeps bees.'] });
    expect(seen.listed.toSorted()).toEqual(['User keeps bees.', 'User lives in Porto.']);
  });

  it('updates and deletes by its id', async () => {
    const seen = await page.evaluate(async (options) => {
      const client = mneme.createClient(options);
      const { results } = await client.addMemory({ user_id: 'grace', text: 'I keep bees' });
      const memory_id = results[0]?.id ?? '';
      const updated = await client.updateMemory({ memory_id, text: 'I keep goats' });
      const { deleted } = await client.deleteMemory({ memory_id });
      return { text: updated.text, deleted };
    }, instance);

    expect(seen).toEqual({ text: 'I keep goats', deleted: 1 });
  });

  it('tells refusals apart', async () => {
    const seen = await page.evaluate(async (options) => {
      const client = mneme.createClient(options);
      const stranger = mneme.createClient({ ...options, api_key: 'mk_unknown' });
      const codeOf = (error: unknown) =>
        error instanceof mneme.ApiError ? error.code : String(error);
      const memory_id = '0190a0a0-0000-7000-8000-000000000000';
      return [
        await client.getMemory({ memory_id }).catch(codeOf),
        await client.searchMemories({ query: '' }).catch(codeOf),
        await stranger.ping().catch(codeOf),
      ];
    }, instance);

    expect(seen).toEqual(['not_found', 'invalid', 'unauthorized']);
  });

  it('is not let in from a page of another origin', async () => {
    const elsewhere = await open(stranger);

    const seen = await elsewhere.evaluate(
      (options) =>
        mneme
          .createClient({ ...options, tries_max: 1 })
          .ping()
          .catch(({ code }) => code),
      instance,
    );

    expect(seen).toBe('unavailable');
  });
});
