import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openStore } from '../../src/storage/store.ts';
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

if (isMissing) it.skip('needs Chromium (CHROMIUM=path): activity is not tried in a browser');

describe.skipIf(isMissing)('activity', () => {
  let browser: Browser;
  let service: Service;
  let data_dir: string;

  beforeAll(async () => {
    data_dir = mkdtempSync(join(tmpdir(), 'mneme-activity-'));
    service = await spawnService({
      data_dir,
      env: {
        MNEME_AUDIT: 'true',
        MNEME_WEBHOOK_ALLOW_PRIVATE: 'true',
        MNEME_WEBHOOK_ALLOW_HTTP: 'true',
      },
    });
    browser = await launchBrowser();
    await add('Ada keeps bees.', 'ada');
    await add('Bob rows.', 'bob');
  });

  afterAll(async () => {
    await browser.close();
    service.kill('SIGKILL');
    await service.exited;
    rmSync(data_dir, { recursive: true, force: true });
  });

  const open = (look: Look) => openPage({ browser, service }, look);

  async function add(text: string, user_id: string): Promise<void> {
    const body = { text, user_id, infer: false };
    await service.send('POST', '/v1/memories/', { key: ownerKey, body });
  }

  async function ping(): Promise<{ org_id: string; project_id: string }> {
    const { body } = await service.send('GET', '/v1/ping/', { key: ownerKey });
    return { org_id: String(body.org_id), project_id: String(body.project_id) };
  }

  async function createWebhook(name: string): Promise<void> {
    const { project_id } = await ping();
    const body = { name, url: `http://127.0.0.1:9/${name}`, event_types: ['memory_add'] };
    const path = `/api/v1/webhooks/projects/${project_id}/`;
    const { status } = await service.send('POST', path, { key: ownerKey, body });
    expect(status).toBeLessThan(300);
  }

  /** As the queue leaves an add whose every attempt failed. */
  async function insertFailed(content: string, user_id: string): Promise<void> {
    const store = await openStore({
      data_dir,
      synchronous: 'normal',
      busy_timeout_ms: 10_000,
      log: () => {},
    });
    const project = await store.projects.find(await ping());
    if (project === null) throw new Error('the project is there');
    const now = new Date().toISOString();
    const payload = { messages: [{ role: 'user', content }], user_id, infer: false };
    const nobody = { agent_id: null, app_id: null, run_id: null };
    const times = { created_at: now, updated_at: now, started_at: now, completed_at: now };
    await store.transaction((tables) =>
      tables.events.insert(project, {
        ...nobody,
        ...times,
        user_id,
        payload,
        id: randomUUID(),
        event_type: 'ADD',
        status: 'FAILED',
        metadata: null,
        results: [],
        error: 'gave up after 5 attempts: the model was away',
        graph_status: null,
        key_id: null,
        latency: 1,
      }),
    );
    await store.close();
  }

  it('keeps its filters and the opened request in the address', async () => {
    const { page, problems } = await open({ view: '#activity' });
    const events = page.getByRole('list', { name: 'Events' });

    await page.getByLabel('Kind').selectOption('ADD');
    await page.getByLabel('Owner', { exact: true }).fill('ada');
    await page.keyboard.press('Enter');
    await events.getByText('Bob rows.').waitFor({ state: 'detached' });
    await events.getByRole('button', { name: 'Ada keeps bees.' }).click();
    await page.getByText('"user_id": "ada"').waitFor();
    await page.reload();
    await page.getByText('"user_id": "ada"').waitFor();
    await events.getByRole('link', { name: 'Ada keeps bees.' }).click();

    await page.locator('.memory', { hasText: 'Ada keeps bees.' }).waitFor();
    expect(problems).toEqual([]);
  });

  it('names the key of each request, and the agent that it came from', async () => {
    const made = await service.send('POST', '/v1/keys/', {
      key: ownerKey,
      body: { name: 'laptop' },
    });
    const body = { text: 'Gus sings.', user_id: 'gus', agent_id: 'scribe', infer: false };
    await service.send('POST', '/v1/memories/', { key: String(made.body.key), body });
    const { page, problems } = await open({ view: '#activity' });
    const row = page.getByRole('button', { name: 'Gus sings.' });
    await row.getByText('by key laptop, agent scribe').waitFor();
    const lists: string[] = [];
    page.on('request', (request) => {
      if (request.url().includes('/v1/keys/')) lists.push(request.url());
    });
    await page.reload();

    await row.getByText('by key laptop, agent scribe').waitFor();
    await row.click();
    await page.getByText('"agent_id": "scribe"').waitFor();

    expect(lists).toHaveLength(1);
    expect(problems).toEqual([]);
  });

  it('says why an add failed, and sends it again', async () => {
    await insertFailed('Fay paints.', 'fay');
    const { page, problems } = await open({ view: '#activity?status=FAILED' });

    await page.getByRole('alert').filter({ hasText: 'the model was away' }).waitFor();
    await page.getByRole('button', { name: 'Send again' }).click();

    await page
      .getByRole('list', { name: 'Events' })
      .getByRole('link', { name: 'Fay paints.' })
      .waitFor();
    expect(page.url()).not.toContain('status');
    expect(problems).toEqual([]);
  });

  it('keeps the chosen webhook in the address', async () => {
    for (const name of ['first', 'second']) await createWebhook(name);
    const { page } = await open({ view: '#activity/deliveries' });

    await page.getByLabel('Webhook', { exact: false }).selectOption({ label: 'first' });
    await page.reload();
    await page.getByText('http://127.0.0.1:9/first').waitFor();

    expect(page.url()).toContain('webhook_id=');
  });

  it('shows a change by itself, and whose it is', async () => {
    const { page, problems } = await open({ view: '#activity/changes' });
    await page.getByText('Ada keeps bees.').waitFor();

    await add('Eve dances.', 'eve');

    const row = page.getByRole('listitem').filter({ hasText: 'Eve dances.' });
    await row.getByText('eve', { exact: true }).waitFor();
    expect(problems).toEqual([]);
  });

  it('lists the audit log, by operation and outcome', async () => {
    const { page, problems } = await open({ view: '#activity/audit' });
    await page.getByRole('cell', { name: 'add_memory' }).first().waitFor();

    await page.getByLabel('Operation').fill('list_audit');
    await page.keyboard.press('Enter');
    await page.getByRole('cell', { name: 'add_memory' }).first().waitFor({ state: 'detached' });
    await page.getByRole('cell', { name: 'list_audit' }).first().waitFor();

    expect(page.url()).toContain('operation=list_audit');
    expect(problems).toEqual([]);
  });

  it('says how to switch the audit log on', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'mneme-activity-'));
    const other = await spawnService({ data_dir: folder });
    const { page } = await openPage({ browser, service: other }, { view: '#activity/audit' });

    await page.getByText('The audit log is off').waitFor();

    expect(await violationsOf(page)).toEqual([]);
    other.kill('SIGKILL');
    await other.exited;
    rmSync(folder, { recursive: true, force: true });
  });

  it.each([
    { width: 390, colorScheme: 'light' },
    { width: 1600, colorScheme: 'dark' },
  ] as const)('is accessible and fits at $width pixels, $colorScheme', async (look) => {
    const { page, problems } = await open(look);
    for (const [view, mark] of [
      ['', 'Bob rows.'],
      ['/changes', 'Bob rows.'],
      ['/audit', 'list_audit'],
      ['/deliveries', 'Look again'],
    ] as const) {
      await page.goto(`${service.url}/dashboard#activity${view}`);
      await page.getByRole('main').getByText(mark).first().waitFor();
      await shot(page, `activity${view.replace(/\W/g, '-')}-${look.width}`);

      expect([view, await violationsOf(page)]).toEqual([view, []]);
      expect([view, await page.evaluate(isTooWide)]).toEqual([view, false]);
    }
    expect(problems).toEqual([]);
  });
});
