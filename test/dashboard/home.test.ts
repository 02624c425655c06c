import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { planEntry } from '../../src/cli/init/plan-entry.ts';
import { createTarget } from '../../src/cli/init/target.ts';
import { type ClientName, clientNames } from '../../src/client-entries/clients.ts';
import { entryText, type ServerConnection } from '../../src/client-entries/entry-text.ts';
import { addressSupport } from '../../src/client-entries/http-entry.ts';
import { start } from '../cli/init-support.ts';
import { createKey, ownerKey, type Service, spawnService } from '../e2e/service.ts';
import {
  isMissing,
  isTooWide,
  type Look,
  launchBrowser,
  openPage,
  shot,
  violationsOf,
} from './browser.ts';

const looks = [390, 1600].flatMap((width) =>
  (['light', 'dark'] as const).map((colorScheme) => ({ width, colorScheme })),
);

if (isMissing) it.skip('needs Chromium (CHROMIUM=path): the dashboard is not tried in a browser');

describe.skipIf(isMissing)('Home', () => {
  let browser: Browser;
  let service: Service;
  let data_dir: string;

  beforeAll(async () => {
    data_dir = mkdtempSync(join(tmpdir(), 'mneme-home-'));
    const env = { MNEME_TIMEZONE: 'Pacific/Kiritimati' };
    service = await spawnService({ data_dir, env });
    browser = await launchBrowser();
  });

  afterAll(async () => {
    await browser.close();
    service.kill('SIGKILL');
    await service.exited;
    rmSync(data_dir, { recursive: true, force: true });
  });

  const open = (look: Look) => openPage({ browser, service }, { view: '#home', ...look });
  const send = async (path: string, body: object, method = 'POST') => {
    const answer = await service.send(method, path, { key: ownerKey, body });
    expect(answer.status).toBeLessThan(300);
    return answer;
  };
  const add = (text: string, more: object = {}) =>
    send('/v1/memories/', { text, user_id: 'ada', infer: false, ...more });
  const search = (query: string) =>
    send('/v2/memories/search/', { query, filters: { user_id: 'ada' } });

  const setProject = async (settings: object) => {
    const { body } = await service.send('GET', '/v1/ping/');
    await send(`/v1/projects/${body.project_id}/`, settings, 'PATCH');
  };

  describe('while nothing is stored', () => {
    it('has the entry of each client as mneme init writes it', async () => {
      const { page, problems } = await open({});
      const shown: Record<string, string> = {};
      const written: Record<string, string> = {};

      for (const name of clientNames) {
        await page.getByRole('combobox', { name: 'Client' }).selectOption(name);
        await page.getByRole('combobox', { name: 'System' }).selectOption('linux');
        written[name] = await writtenBy(name);
        shown[name] = await textOf(page, 'entry', written[name]);
      }

      expect(shown).toEqual(written);
      expect(problems).toEqual([]);
    });

    it('has the entry for its own address, where the client can hold one', async () => {
      const { page, problems } = await open({ view: '#home?connection=address&user_id=ada' });
      const url = `${service.url}/mcp?user_id=ada`;
      const shown: Record<string, string> = {};
      const expected: Record<string, string> = {};

      for (const name of clientNames.filter((one) => addressSupport(one).address)) {
        await page.getByRole('combobox', { name: 'Client' }).selectOption(name);
        const key = addressSupport(name).variable ? null : 'YOUR_API_KEY';
        expected[name] = (await entryText(name, { url, key })).trimEnd();
        shown[name] = await textOf(page, 'entry', expected[name]);
      }
      await page.getByRole('combobox', { name: 'Client' }).selectOption('goose');

      await page.getByText('Goose only starts programs').waitFor();
      expect(shown).toEqual(expected);
      expect(problems).toEqual([]);
    });

    it('keeps the choice in the address, with the file of each system and the command', async () => {
      const { page } = await open({ view: '#home?client=zed&system=win32' });

      const path = await textOf(page, 'path', '%APPDATA%\\Zed\\settings.json');
      const entry = await page.getByRole('figure', { name: 'entry' }).locator('pre').textContent();
      const command = await textOf(page, 'command', 'npx -y mneme init zed');
      await page.getByRole('combobox', { name: 'System' }).selectOption('darwin');
      await page.reload();

      expect([path, command]).toEqual(['%APPDATA%\\Zed\\settings.json', 'npx -y mneme init zed']);
      expect(JSON.parse(entry ?? '')).toEqual({
        context_servers: { mneme: { command: 'cmd', args: ['/c', 'npx', '-y', 'mneme'] } },
      });
      await page.getByText('~/.config/zed/settings.json').waitFor();
    });

    it('copies a command', async () => {
      const { page } = await open({ view: '#home?client=cursor' });
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);

      const button = page.getByRole('figure', { name: 'command' }).first().getByRole('button');
      // The browser lets a page copy only in front, which takes a moment.
      const copied = async () => {
        await page.bringToFront();
        await button.click();
        return page.evaluate('navigator.clipboard.readText()').catch(() => '');
      };
      await expect.poll(copied, { timeout: 10_000 }).toBe('npx -y mneme init cursor');
      expect(await button.textContent()).toBe('Copied');
    });

    it('tells a reader that others store', async () => {
      const { page } = await open({ key: await createKey(data_dir, ['--read-only']) });

      await page.getByText('You may only read here').waitFor();
      expect(await page.getByText('mneme add').count()).toBe(0);
    });

    it.each(looks)('can be read by all ($width, $colorScheme)', async (look) => {
      const { page, problems } = await open({ ...look, view: '#home?connection=address' });

      await page.getByRole('figure', { name: 'entry' }).waitFor();
      await shot(page, `empty-${look.width}-${look.colorScheme}`);

      expect(await violationsOf(page)).toEqual([]);
      expect(await page.evaluate(isTooWide)).toBe(false);
      expect(problems).toEqual([]);
    });
  });

  describe('with memories', () => {
    beforeAll(async () => {
      await setProject({ keep_recalls: 'text' });
      await add('Ada keeps bees.', { agent_id: 'gardener', app_id: 'shed' });
      await add('Ada lives in Porto.', { agent_id: 'gardener', app_id: 'shed' });
      await add('Ada sails.');
      await search('bees');
      await search('zzyzx quux');
    });

    it('says how the server is, and what was learned today by which agent', async () => {
      const { page, problems } = await open({});

      const health = await page.getByRole('status', { name: 'Health' }).textContent();
      const agents = page.getByRole('region', { name: 'Learned today' }).getByRole('listitem');
      await agents.first().waitFor();

      expect(health).toMatch(/^The server is readymneme \d+\.\d+\.\d+\S*SQLite$/);
      expect(await agents.allTextContents()).toEqual([
        'gardener in shed2',
        'no agent_id or app_id was given1',
      ]);
      expect(problems).toEqual([]);
    });

    it('lists what found nothing, and leads to where it is asked again', async () => {
      const { page } = await open({});
      const nothing = page.getByRole('region', { name: 'Found nothing' });

      await nothing.getByText('1 of the last 2 questions').waitFor();
      const link = await nothing.getByRole('link').getAttribute('href');

      expect(link).toBe('#ask?query=zzyzx+quux&user_id=ada');
    });

    it('leads from a change to its memory, and from an owner to the person', async () => {
      const { page } = await open({});

      const owner = page.getByRole('region', { name: 'Owners' }).getByRole('link');
      await owner.filter({ hasText: 'ada' }).waitFor();
      const hrefs = await owner.evaluateAll((links) =>
        links.map((one) => one.getAttribute('href')),
      );
      const changes = page.getByRole('region', { name: 'Recent changes' });
      await changes.getByRole('link', { name: 'Ada sails.' }).click();

      expect(hrefs).toContain('#people/user%2Fada');
      await page.locator('.detail .memory', { hasText: 'Ada sails.' }).waitFor();
    });

    it('shows by itself what another learns meanwhile', async () => {
      const { page } = await open({});
      const changes = page.getByRole('region', { name: 'Recent changes' });
      await changes.getByText('Ada sails.').waitFor();

      await add('Ada dances.', { user_id: 'grace' });

      await changes.getByText('Ada dances.').waitFor();
    });

    it('counts days of the time zone of the service', async () => {
      const { page } = await open({ view: '#home?days=90' });
      const today = new Date(Date.now() + 14 * 3_600_000).toISOString().slice(0, 10);

      const chart = page.getByRole('figure').filter({ hasText: 'Learned' });
      await chart.getByText('Numbers').click();

      await chart.getByRole('rowheader', { name: today }).waitFor();
      expect(await page.getByRole('button', { name: '90 days', pressed: true }).count()).toBe(1);
    });

    it('labels the first and the last day of a chart, and says what the days come to', async () => {
      const { page } = await open({});
      const day = new Date(Date.now() + 14 * 3_600_000);
      const short = { day: 'numeric', month: 'short', timeZone: 'UTC' } as const;
      const last = day.toLocaleDateString('en-GB', short);

      const chart = page.getByRole('figure').filter({ hasText: 'Asked' });
      await chart.locator('canvas').waitFor({ state: 'attached' });

      expect(await chart.locator('figcaption').textContent()).toBe('Asked 2');
      expect(await chart.locator('.ends span').last().textContent()).toContain(last);
    });

    it('ends with the call of its charts as code', async () => {
      const { page } = await open({ view: '#home?days=90' });

      await page.getByText('This call as code').click();

      expect(await page.locator('.page > .call:last-child pre').textContent()).toContain('days=90');
    });

    it('connects another client at an address of its own', async () => {
      const { page } = await open({});

      await page.getByRole('link', { name: 'Connect a client' }).click();
      await page.getByRole('figure', { name: 'entry' }).waitFor();

      expect(new URL(page.url()).hash).toBe('#home/connect');
    });

    it('counts what is waiting apart, and leads to it where the reader can decide', async () => {
      await setProject({ review: 'all' });
      await add('Ada may move to Lisbon.');
      await setProject({ review: 'off' });
      const owner = await open({});
      const reader = await open({ key: await createKey(data_dir, ['--read-only']) });
      const figureOf = (page: Page) =>
        page
          .getByRole('list', { name: 'Figures' })
          .getByRole('link', { name: '1 waiting for review' });

      const memories = owner.page.getByRole('link', { name: /memories \(\+1 waiting\)$/ });
      await memories.waitFor();
      await figureOf(reader.page).waitFor();

      expect(await figureOf(owner.page).textContent()).toMatch(/^1 waiting for review\s→$/);
      expect(await figureOf(reader.page).textContent()).toBe('1 waiting for review');
    });

    it.each(looks)('can be read by all ($width, $colorScheme)', async (look) => {
      const { page, problems } = await open(look);

      await page.getByRole('figure').first().waitFor();
      await shot(page, `home-${look.width}-${look.colorScheme}`);

      expect(await violationsOf(page)).toEqual([]);
      expect(await page.evaluate(isTooWide)).toBe(false);
      expect(problems).toEqual([]);
    });
  });
});

/** What `mneme init` plans for the user's file of a client that has none. */
async function writtenBy(name: ClientName): Promise<string> {
  const home = mkdtempSync(join(tmpdir(), 'mneme-no-home-'));
  try {
    const place = { platform: 'linux' as const, home, cwd: home, env: {} };
    const connection: ServerConnection = start;
    const target = createTarget(name, place, { scope: 'user', connection });
    if (target === null) throw new Error(`${name} has no file`);
    const { cannotCreate: _, ...creatable } = target;
    const change = await planEntry(creatable);
    return change.kind === 'none' ? '' : change.text.trimEnd();
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

/** What a copyable text says, once it says what is expected; what it says after a while. */
async function textOf(page: Page, label: string, expected: string): Promise<string> {
  const shown = page.getByRole('figure', { name: label, exact: true }).locator('pre').first();
  await expect.poll(() => shown.textContent(), { timeout: 10_000 }).toBe(expected);
  return (await shown.textContent()) ?? '';
}
