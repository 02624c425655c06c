import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createKey, listOf, ownerKey, type Service, spawnService } from '../e2e/service.ts';
import { startReceiver } from '../support/webhook-receiver.ts';
import {
  isMissing,
  isTooWide,
  type Look,
  launchBrowser,
  openPage,
  violationsOf,
} from './browser.ts';
import { hostileTexts } from './hostile-texts.ts';

const views = [
  ...['projects', 'members', 'keys', 'webhooks', 'extraction', 'profiles', 'trust', 'export'].map(
    (section) => `settings/${section}`,
  ),
  'settings/models',
  'settings/configuration',
  'replay',
  'graph',
  'graph/ada',
  'activity/deliveries',
];

if (isMissing) it.skip('needs Chromium (CHROMIUM=path): settings are not tried in a browser');

describe.skipIf(isMissing)('settings, graph and what was sent', () => {
  let browser: Browser;
  let service: Service;
  let reader: string;
  let data_dir: string;

  beforeAll(async () => {
    data_dir = mkdtempSync(join(tmpdir(), 'mneme-settings-'));
    service = await spawnService({
      data_dir,
      env: { MNEME_WEBHOOK_ALLOW_PRIVATE: 'true', MNEME_WEBHOOK_ALLOW_HTTP: 'true' },
    });
    browser = await launchBrowser();
    reader = await createKey(data_dir, ['--read-only']);
  });

  afterAll(async () => {
    await browser.close();
    service.kill('SIGKILL');
    await service.exited;
    rmSync(data_dir, { recursive: true, force: true });
  });

  const open = (look: Look) => openPage({ browser, service }, look);

  async function add(text: string, more: Record<string, unknown> = {}): Promise<unknown> {
    const body = { text, user_id: 'ada', infer: false, enable_graph: true, ...more };
    const answer = await service.send('POST', '/v1/memories/', { key: ownerKey, body });
    return listOf(answer)[0]?.id;
  }

  it('makes a key that works, shows it once, and revokes it', async () => {
    const { page, problems } = await open({ view: '#settings/keys' });

    await page.getByLabel('Name', { exact: true }).fill('ci');
    await page.getByLabel('It may only read').check();
    await page.getByRole('button', { name: 'Create a key' }).click();
    const key = (await page.locator('.secret code').textContent()) ?? '';
    const before = await service.send('GET', '/v1/ping/', { key });
    await page.getByRole('button', { name: 'Done' }).click();
    const name = page.getByText('ci', { exact: true }); // others may have it in their prefix
    const row = page.getByRole('listitem').filter({ has: name });
    await row.getByRole('button', { name: 'Revoke' }).click();
    await page.getByRole('button', { name: 'Revoke it' }).click();
    await row.getByText('revoked').waitFor();

    expect(before.body).toMatchObject({ read_only: true });
    expect(await page.content()).not.toContain(key);
    expect(problems).toEqual([]);
  });

  it('shows a key before anything else is asked, and says where it opens nothing', async () => {
    const { page } = await open({ view: '#settings/keys' });
    const said = page.getByRole('alert').filter({ hasText: 'opens nothing here until they are' });
    await page.getByLabel('Whose').waitFor();
    const held = '**/{keys,organizations,orgs}/**';
    await page.route(held, (route) => {
      if (route.request().method() === 'POST') void route.continue(); // the others get no answer
    });

    await page.getByLabel('Name', { exact: true }).fill('hers');
    await page.getByLabel('Whose').fill('grace@example.com');
    await page.getByRole('button', { name: 'Create a key' }).click();
    await page.locator('.secret code').waitFor();
    const isFree = await page.getByRole('button', { name: 'Create a key' }).isEnabled();
    await page.unrouteAll();
    await page.getByLabel('Name', { exact: true }).fill('again');
    await page.getByLabel('Whose').fill('grace@example.com');
    await page.getByRole('button', { name: 'Create a key' }).click();
    await said.filter({ hasText: 'grace@example.com' }).waitFor();
    await page.getByLabel('Name', { exact: true }).fill('mine');
    await page.getByRole('button', { name: 'Create a key' }).click();
    await page.getByRole('listitem').filter({ hasText: 'mine' }).waitFor();

    expect(isFree).toBe(true);
    expect(await said.count()).toBe(0);
  });

  it('makes a project by its name, opens it, goes back, and deletes it by typing it', async () => {
    const { page, problems } = await open({ view: '#settings/projects' });

    await page.getByLabel('New project').fill('Second');
    await page.getByRole('button', { name: 'Create' }).first().click();
    await page.getByRole('button', { name: 'Open Second' }).click();
    await shownProject(page, 'Second');
    await page.getByRole('button', { name: 'Open Default' }).click();
    await shownProject(page, 'Default');
    const row = page.getByRole('listitem').filter({ hasText: 'Second' });
    await row.getByRole('button', { name: 'Delete' }).click();
    const dialog = page.getByRole('dialog');
    const isReady = () => dialog.getByRole('button', { name: 'Delete it forever' }).isEnabled();
    const before = await isReady();
    await dialog.getByRole('textbox').fill('Second');
    const after = await isReady();
    await dialog.getByRole('button', { name: 'Delete it forever' }).click();
    await row.waitFor({ state: 'detached' });

    expect([before, after]).toEqual([false, true]);
    expect(problems).toEqual([]);
  });

  it('invites a member, changes the role, and removes the member', async () => {
    const { page, problems } = await open({ view: '#settings/members' });
    const list = page.getByRole('article', { name: 'This project' });

    await list.getByLabel('E-mail').fill('grace@example.com');
    await list.getByRole('button', { name: 'Add' }).click();
    const member = list.getByRole('listitem').filter({ hasText: 'grace@example.com' });
    await member.getByLabel('Role of grace@example.com').selectOption('OWNER');
    await page.reload();
    const role = await member.getByLabel('Role of grace@example.com').inputValue();
    await member.getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await member.waitFor({ state: 'detached' });

    expect(role).toBe('OWNER');
    expect(problems).toEqual([]);
  });

  it('keeps what extraction and trust are told', async () => {
    const { page, problems } = await open({ view: '#settings/extraction' });
    const save = async () => {
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByText('Saved.').waitFor();
    };

    await page.getByLabel('What not to remember').fill('prices');
    await page.getByLabel('Category 1', { exact: true }).fill('bees');
    await page.getByLabel('What belongs to category 1').fill('hives and honey');
    await save();
    await page.getByRole('link', { name: 'Trust and review' }).click();
    await page.getByLabel('What extraction is not sure of').check();
    await save();
    await page.reload();
    await page.getByRole('link', { name: 'Extraction' }).click();

    expect(await page.getByLabel('What not to remember').inputValue()).toBe('prices');
    expect(await page.getByLabel('Category 1', { exact: true }).inputValue()).toBe('bees');
    expect(problems).toEqual([]);
  });

  it('has off what only a language model reads, and keeps what it says', async () => {
    const { body } = await service.send('GET', '/v1/ping/', { key: ownerKey });
    const path = `/v1/projects/${body.project_id}/`;
    const told = { custom_instructions: 'Be brief.\nBe kind.', multilingual: true };
    await service.send('PATCH', path, { key: ownerKey, body: told });
    const { page, problems } = await open({ view: '#settings/extraction' });

    const field = page.getByLabel(/^Instructions ?Off: this needs a language model/);
    await field.waitFor();
    const isOff = [
      await field.isDisabled(),
      await page.getByLabel('Keep the language of the conversation').isDisabled(),
      await page.getByLabel('What to remember').isDisabled(),
    ];
    await page.getByLabel('What to remember').fill('allergies');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.').waitFor();
    const { body: kept } = await service.send('GET', path, { key: ownerKey });
    await page.getByRole('link', { name: 'Profiles' }).click();
    await page.getByText('Off: this needs a language model').first().waitFor();

    expect(isOff).toEqual([true, true, false]);
    expect(kept).toMatchObject({ ...told, inclusion_prompt: 'allergies' });
    expect(problems).toEqual([]);
  });

  it('tells a webhook of changes, and sends it again what it was told', async () => {
    const receiver = await startReceiver();
    const { page, problems } = await open({ view: '#settings/webhooks' });

    await page.getByLabel('Address').fill(receiver.url);
    await page.getByRole('button', { name: 'Create a webhook' }).click();
    await page.locator('.secret code', { hasText: 'whsec_' }).waitFor();
    await add('Ada rows.');
    await page.getByRole('link', { name: 'What was sent' }).click();
    const deliveries = page.getByRole('list', { name: 'Deliveries' });
    await expect
      .poll(async () => {
        await page.getByRole('button', { name: 'Look again' }).click();
        return deliveries.getByText('delivered').count();
      })
      .toBeGreaterThan(0);
    const count = receiver.received.length;
    await deliveries.getByRole('button', { name: 'Send again' }).first().click();

    await expect.poll(() => receiver.received.length).toBeGreaterThan(count);
    expect(problems).toEqual([]);
    await receiver.stop();
  });

  it('fills a form from memories', async () => {
    await add('My home city is Porto.', { user_id: 'exported' });
    const { page, problems } = await open({ view: '#settings/export' });

    await page.getByLabel('Of user').fill('exported');
    await page.getByLabel('Field 1', { exact: true }).fill('home_city');
    await page.getByRole('button', { name: 'Fill it' }).click();

    await page.getByRole('article', { name: 'Filled' }).getByText('home_city').first().waitFor();
    expect(problems).toEqual([]);
  });

  it('shows models and configuration, and copies the store', async () => {
    const { page, problems } = await open({ view: '#settings/models' });

    await page.getByRole('row', { name: /table.*in use/ }).waitFor();
    const recommended = page.getByRole('note', { name: 'Recommended' });
    const command = await recommended.locator('code').textContent();
    await recommended.getByRole('button', { name: 'Copy' }).waitFor();
    await page.getByRole('link', { name: 'Configuration and backup' }).click();
    const masked = await page.getByRole('row', { name: /bootstrap_key/ }).textContent();
    await page.getByRole('button', { name: 'Back up now' }).click();
    await page.getByText(/^Wrote /).waitFor();

    expect(command).toBe('mneme models use multilingual-e5-small');
    expect(masked).toContain('********');
    expect(masked).not.toContain(ownerKey);
    expect(problems).toEqual([]);
  });

  it('shows who belongs to whom, and which memory says so', async () => {
    await add('My sister Anna lives in Oslo.');
    const { page, problems } = await open({ view: '#graph' });

    await page.locator('svg.graph g', { hasText: 'Oslo' }).first().waitFor();
    await page.getByRole('link', { name: 'Anna' }).click();
    await page.getByRole('button', { name: 'Anna lives in Oslo' }).click();
    await page.getByRole('status', { name: 'Evidence' }).getByText('My sister Anna').waitFor();
    await page.getByRole('link', { name: 'Open the memory' }).click();
    await page.locator('.memory', { hasText: 'My sister Anna lives in Oslo.' }).waitFor();

    expect(problems).toEqual([]);
  });

  it('does the same with several memories, and brings deleted ones back', async () => {
    for (const text of ['Bulk one.', 'Bulk two.']) await add(text, { user_id: 'bulk' });
    const { page, problems } = await open({});
    await page.getByLabel('Words in the text').fill('Bulk');
    await page.keyboard.press('Enter');
    await page.getByText('2 memories', { exact: true }).waitFor();

    for (const text of ['Bulk one.', 'Bulk two.']) await page.getByLabel(`Choose ${text}`).check();
    await page.getByRole('button', { name: 'Pin', exact: true }).click();
    await page.locator('.row .tag', { hasText: 'pinned' }).first().waitFor();
    for (const text of ['Bulk one.', 'Bulk two.']) await page.getByLabel(`Choose ${text}`).check();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByRole('button', { name: 'Delete for now' }).click();
    await page.getByText('No memory fits').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();

    await page.getByText('2 memories', { exact: true }).waitFor();
    expect(problems).toEqual([]);
  });

  it('puts a past question again, says why the answer differs, and mends it', async () => {
    const { body } = await service.send('GET', '/v1/ping/', { key: ownerKey });
    const path = `/v1/projects/${body.project_id}/`;
    await service.send('PATCH', path, { key: ownerKey, body: { keep_recalls: 'text' } });
    const id = await add('Zoe lives in Porto.', { user_id: 'zoe' });
    await add('The weather at Zoe is mild.', { user_id: 'zoe' });
    await add('Sugar was bought on Monday.', { user_id: 'zoe' });
    const asked = { query: 'Where does Zoe live?', filters: { user_id: 'zoe' } };
    await service.send('POST', '/v2/memories/search/', { key: ownerKey, body: asked });
    const change = { text: 'Zoe lives in Braga.' };
    await service.send('PUT', `/v1/memories/${id}/`, { key: ownerKey, body: change });
    const { page, problems } = await open({ view: '#replay' });

    await page.getByRole('link', { name: 'Replay Where does Zoe live?' }).click();
    await page.getByRole('region', { name: 'Then' }).getByText('Zoe lives in Porto.').waitFor();
    await page.getByRole('region', { name: 'Now' }).getByText('Zoe lives in Braga.').waitFor();
    const found = await violationsOf(page);
    const used = page.getByRole('list', { name: 'Memories used in the answer' });
    const others = page.getByRole('list', { name: 'Memories not used' });
    const edits = await used.getByRole('button', { name: /^Edit / }).count();
    const isFolded = await others.isHidden();
    await page.getByText(/others?, not used$/).click();
    const sugar = others.getByRole('button', { name: 'Edit Sugar was bought on Monday.' });
    await sugar.waitFor();
    await used.getByRole('button', { name: 'Edit Zoe lives in Braga.' }).click();
    await page.getByLabel('New text').fill('Zoe lives in Evora.');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('region', { name: 'Now' }).getByText('Zoe lives in Evora.').waitFor();

    expect(found).toEqual([]);
    expect([edits > 0, isFolded]).toEqual([true, true]);
    expect(problems).toEqual([]);
  });

  it.each([
    { width: 360, colorScheme: 'light' },
    { width: 1600, colorScheme: 'dark' },
  ] as const)('is accessible and fits at $width pixels, $colorScheme', async (look) => {
    const { page, problems } = await open({ ...look, view: '#home' });
    for (const view of views) {
      await page.goto(`${service.url}/dashboard#${view}`);
      await page.getByText('Loading…').first().waitFor({ state: 'detached' });
      await page.getByRole('main').getByText(/\w/).first().waitFor();

      expect([view, await violationsOf(page)]).toEqual([view, []]);
      expect([view, await page.evaluate(isTooWide)]).toEqual([view, false]);
    }
    expect(problems).toEqual([]);
  });

  it('shows a reader nothing that would be refused', async () => {
    const { page, problems } = await open({ key: reader, view: '#settings/projects' });
    const found = new Set<string>();
    for (const view of views.filter((one) => !/models|configuration/.test(one))) {
      await page.goto(`${service.url}/dashboard#${view}`);
      await page.getByText('Loading…').first().waitFor({ state: 'detached' });
      await page.getByText('This call as code').or(page.getByRole('heading')).first().waitFor();
      const names = await page.getByRole('main').getByRole('button').allTextContents();
      for (const name of names) if (!harmless.test(name)) found.add(`${view}: ${name}`);
    }

    expect([...found]).toEqual([]);
    expect(problems).toEqual([]);
  });

  it('shows hostile texts as text, wherever people name something', async () => {
    const [script = '', image = ''] = hostileTexts;
    for (const [at, text] of hostileTexts.entries()) {
      const body = { org_id: 'x', name: text.slice(0, 200) };
      if (at < 8) await service.send('POST', '/v1/orgs/', { key: ownerKey, body });
      await service.send('POST', '/v1/keys/', { key: ownerKey, body: { name: text } });
    }
    const custom_categories = [{ [script.slice(0, 60)]: image }];
    const { body } = await service.send('GET', '/v1/ping/', { key: ownerKey });
    const path = `/v1/projects/${body.project_id}/`;
    await service.send('PATCH', path, {
      key: ownerKey,
      body: { custom_categories, exclusion_prompt: script, name: image },
    });
    await add('Eve lives in Oslo.', { user_id: script.slice(0, 120) });
    await service.send('POST', '/v1/webhooks/', {
      key: ownerKey,
      body: { url: 'http://127.0.0.1:9/', name: script },
    });

    const { page, problems } = await open({ view: '#home' });
    for (const view of views) {
      await page.goto(`${service.url}/dashboard#${view}`);
      await page.getByText('Loading…').first().waitFor({ state: 'detached' });
      await page.getByRole('main').getByText(/\w/).first().waitFor();
    }

    expect(await page.evaluate('globalThis.hacked')).toBeUndefined();
    expect(problems).toEqual([]);
  });
});

/** Buttons that only look at something. */
const looks = [
  'curl',
  'TypeScript',
  'Python',
  'Copy',
  'Close',
  'Open',
  'Why',
  'Zoom in',
  'Zoom out',
];
const harmless = new RegExp(
  `^(ada .*|Show( the newest export)?|Look again|Fit|${looks.join('|')})$`,
);

/** Waits until the menu of projects shows this one. */
async function shownProject(page: Page, name: string): Promise<void> {
  const shown = () => page.locator('select.project option:checked').textContent();
  await expect.poll(shown, { timeout: 10_000 }).toBe(name);
}
