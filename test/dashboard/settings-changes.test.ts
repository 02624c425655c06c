import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createKey, ownerKey, type Service, spawnService } from '../e2e/service.ts';
import { startReceiver } from '../support/webhook-receiver.ts';
import {
  isMissing,
  isTooWide,
  type Look,
  launchBrowser,
  openPage,
  shot,
  violationsOf,
} from './browser.ts';

if (isMissing) it.skip('needs Chromium (CHROMIUM=path): settings are not changed in a browser');

describe.skipIf(isMissing)('changes of settings', () => {
  let browser: Browser;
  let service: Service;
  /** Owns an organization, and not the store. */
  let eve: string;
  let data_dir: string;

  beforeAll(async () => {
    data_dir = mkdtempSync(join(tmpdir(), 'mneme-settings-changes-'));
    service = await spawnService({
      data_dir,
      env: { MNEME_WEBHOOK_ALLOW_PRIVATE: 'true', MNEME_WEBHOOK_ALLOW_HTTP: 'true' },
    });
    browser = await launchBrowser();
    eve = await createKey(data_dir, ['--email', 'eve@example.com']);
    const { body } = await service.send('POST', '/v1/orgs/', { key: eve, body: { name: 'Acme' } });
    const garden = { org_id: body.org_id, name: 'Garden' };
    await service.send('POST', '/v1/projects/', { key: eve, body: garden });
  });

  afterAll(async () => {
    await browser.close();
    service.kill('SIGKILL');
    await service.exited;
    rmSync(data_dir, { recursive: true, force: true });
  });

  const open = (look: Look) => openPage({ browser, service }, look);

  async function invite(page: Page, email: string) {
    const list = page.getByRole('article', { name: 'All projects of Acme' });
    await list.getByLabel('E-mail').fill(email);
    await list.getByRole('button', { name: 'Add' }).click();
    const member = list.getByRole('listitem').filter({ hasText: email });
    await member.getByText('invited').waitFor();
    return member;
  }

  /** Somebody who has accepted no place sees no view yet. */
  async function signInWithoutPlace(key: string, width = 1600): Promise<Page> {
    const context = await browser.newContext({ viewport: { width, height: 900 } });
    const page = await context.newPage();
    page.setDefaultTimeout(10_000);
    await page.goto(`${service.url}/dashboard`);
    await page.getByLabel('API key').fill(key);
    await page.getByRole('button', { name: 'Sign in' }).click();
    return page;
  }

  it('shows an invitation to whom it is for, who accepts it and is in', async () => {
    const bob = await createKey(data_dir, ['--email', 'bob@example.com']);
    const nobody = await signInWithoutPlace(bob);
    await nobody.getByText('Nobody has invited it').waitFor();
    const { page, problems } = await open({ key: eve, view: '#settings/members' });
    await invite(page, 'bob@example.com');

    const invited = await signInWithoutPlace(bob, 390);
    await invited.getByRole('article', { name: 'Invitations' }).getByText('as reader').waitFor();
    await shot(invited, 'invited-390');
    const looks = [await violationsOf(invited), await invited.evaluate(isTooWide)];
    await invited.getByRole('button', { name: 'Accept Acme' }).click();
    await invited.getByRole('navigation', { name: 'Views' }).waitFor();

    expect(looks).toEqual([[], false]);
    expect(problems).toEqual([]);
    const { body } = await service.send('GET', '/v1/ping/', { key: bob });
    expect(body).toMatchObject({ user_email: 'bob@example.com' });
  });

  it('withdraws an invitation, and lets the invited decline one', async () => {
    const { page, problems } = await open({ key: eve, view: '#settings/members' });
    const carol = await invite(page, 'carol@example.com');
    await carol.getByRole('button', { name: 'Withdraw' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Withdraw' }).click();
    await carol.waitFor({ state: 'detached' });
    const dan = await createKey(data_dir, ['--email', 'dan@example.com']);
    await invite(page, 'dan@example.com');

    const invited = await signInWithoutPlace(dan);
    await invited.getByRole('button', { name: 'Decline', exact: true }).click();
    await invited.getByRole('button', { name: 'Decline it' }).click();
    await invited.getByText('Nobody has invited it').waitFor();
    await page.reload();
    await page.getByText('bob@example.com').first().waitFor();

    expect(await page.getByText('dan@example.com').count()).toBe(0);
    expect(problems).toEqual([]);
  });

  it('refuses to leave an organization without an owner, and shows the role as it is', async () => {
    const { page } = await open({ key: eve, view: '#settings/members' });
    const list = page.getByRole('article', { name: 'All projects of Acme' });
    const role = list.getByLabel('Role of eve@example.com');

    await role.selectOption('READER');
    await list.getByRole('alert').getByText('at least one OWNER').waitFor();

    expect(await role.inputValue()).toBe('OWNER');
  });

  it('renames a project, and keeps what was typed if the name is taken', async () => {
    const { page, problems } = await open({ key: eve, view: '#settings/projects' });
    await page.getByLabel('New project').fill('Kitchen');
    await page.getByRole('button', { name: 'Create' }).first().click();
    await page.getByRole('button', { name: 'Rename Kitchen' }).waitFor();
    await page.getByRole('button', { name: 'Rename Garden' }).click();
    const form = page.getByRole('form', { name: 'Rename Garden' });

    await form.getByLabel('Name of the project').fill('Kitchen');
    await form.getByLabel('What the project is for').fill('plants');
    await form.getByRole('button', { name: 'Save' }).click();
    await form.getByRole('alert').waitFor();
    const kept = await form.getByLabel('What the project is for').inputValue();
    await form.getByLabel('Name of the project').fill('Orchard');
    await form.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('listitem').filter({ hasText: 'Orchard' }).getByText('plants').waitFor();

    expect(kept).toBe('plants');
    await expect
      .poll(() => page.locator('select.project option:checked').textContent())
      .toBe('Orchard');
    expect(problems.filter((problem) => !problem.includes('status of 4'))).toEqual([]);
  });

  it('deletes an organization by its name, but not the one that is open', async () => {
    const { page, problems } = await open({ key: eve, view: '#settings/projects' });
    await page.getByLabel('New organization').fill('Old');
    await page.getByRole('button', { name: 'Create' }).last().click();
    const old = page.getByRole('article', { name: 'Old' });

    await old.getByRole('button', { name: 'Delete the organization' }).click();
    await old.getByRole('textbox', { name: 'Type Old to go on' }).fill('Old');
    await old.getByRole('button', { name: 'Delete it forever' }).click();
    await old.waitFor({ state: 'detached' });

    const acme = page.getByRole('article', { name: 'Acme' });
    expect(await acme.getByRole('button', { name: 'Delete the organization' }).count()).toBe(0);
    expect(problems).toEqual([]);
  });

  it('makes a key that ends, for one organization', async () => {
    const { page, problems } = await open({ view: '#settings/keys' });

    await page.getByLabel('Name', { exact: true }).fill('nightly');
    await page.getByLabel('Ends after days').fill('7');
    await page.getByLabel('Reaches').selectOption('this organization');
    await page.getByRole('button', { name: 'Create a key' }).click();
    const row = page.getByRole('listitem').filter({ hasText: 'nightly' });
    await row.getByText('one organization').waitFor();

    expect(await row.textContent()).toMatch(/made .*never used · until \d{4}-/);
    expect(problems).toEqual([]);
  });

  it('changes a webhook, and says how its test went', async () => {
    const receiver = await startReceiver();
    const { page } = await open({ view: '#settings/webhooks' });
    await page.getByLabel('Address').fill('http://127.0.0.1:9/');
    await page.getByRole('button', { name: 'Create a webhook' }).click();
    const card = page.getByRole('article', { name: '127.0.0.1' });

    await card.getByRole('button', { name: 'Send a test' }).click();
    await card.getByText('it did not arrive').waitFor();
    await card.getByRole('button', { name: 'Edit' }).click();
    const form = page.getByRole('form', { name: 'Change 127.0.0.1' });
    await form.getByLabel('Name').fill('listener');
    await form.getByLabel('Address').fill(receiver.url);
    for (const box of await form.getByRole('checkbox').all()) await box.uncheck();
    await form.getByRole('button', { name: 'Save' }).click();
    await form.getByRole('alert').getByText('event_types').waitFor();
    const kept = await form.getByLabel('Name').inputValue();
    await form.getByLabel('memory:add').check();
    await form.getByRole('button', { name: 'Save' }).click();
    const changed = page.getByRole('article', { name: 'listener' });
    await changed.getByText('memory:add ·').waitFor();
    await changed.getByRole('button', { name: 'Send a test' }).click();
    await changed.getByText(/it has arrived; its address answered with 20\d/).waitFor();

    expect(kept).toBe('listener');
    expect(receiver.received).toHaveLength(1);
    await changed.getByRole('link', { name: 'Its deliveries' }).click();
    await page.waitForURL(/deliveries\?webhook_id=/);
    await receiver.stop();
  });

  it('keeps names that mean the same, and no categories at all', async () => {
    const { page } = await open({ view: '#settings/extraction' });
    const names = page.getByLabel('Names that mean the same');

    await names.fill('k8s = Kubernetes\nMum');
    await page.getByLabel('Without any of these').uncheck();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('alert').getByText('a group needs two names').waitFor();
    const kept = await names.inputValue();
    await names.fill('k8s = Kubernetes\nMum = Helen');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.').waitFor();
    await page.reload();
    await names.waitFor();

    expect(kept).toBe('k8s = Kubernetes\nMum');
    expect(await names.inputValue()).toBe('k8s = Kubernetes\nMum = Helen');
    expect(await page.getByLabel('Without any of these').isChecked()).toBe(false);
    expect(await projectOf(service)).toMatchObject({
      aliases: [
        ['k8s', 'Kubernetes'],
        ['Mum', 'Helen'],
      ],
      custom_categories: [],
    });
  });

  it('says which profiles are made, and keeps what is no schema', async () => {
    const { page, problems } = await open({ view: '#settings/profiles' });
    const schema = page.getByLabel('JSON Schema').first();

    await schema.fill('{ city');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('alert').getByText('Profiles of users').waitFor();
    const kept = await schema.inputValue();
    await schema.fill('{"type":"object","properties":{"city":{"type":"string"}}}');
    await page.getByLabel('Make profiles').uncheck();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.').waitFor();
    await page.reload();
    await schema.waitFor();

    expect(kept).toBe('{ city');
    expect(await schema.inputValue()).toContain('"city"');
    expect(await page.getByLabel('Make profiles').isChecked()).toBe(false);
    expect(problems).toEqual([]);
  });

  it('offers the users of an export, and saves what was filled', async () => {
    const body = { text: 'My home city is Porto.', user_id: 'ada', infer: false };
    await service.send('POST', '/v1/memories/', { key: ownerKey, body });
    const { page } = await open({ view: '#settings/export' });

    await page.locator('datalist option[value=ada]').waitFor({ state: 'attached' });
    await page.getByLabel('Of user').fill('ada');
    await page.getByLabel('Field 1', { exact: true }).fill('home_city');
    await page.getByRole('button', { name: 'Fill it' }).click();
    const saving = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Download as JSON' }).click();
    const file = await (await saving).path();

    await page.reload();
    await page.getByRole('article', { name: 'Filled' }).waitFor();

    expect(JSON.parse(readFileSync(file, 'utf8'))).toHaveProperty('home_city');
  });

  it('says what a model gains over words, and finds an option again after a reload', async () => {
    const { page, problems } = await open({ view: '#settings/models' });

    await page
      .getByRole('cell', { name: /^\d+(\.\d)? \(\+/ })
      .first()
      .waitFor();
    await page.goto(`${service.url}/dashboard#settings/configuration`);
    await page.getByLabel('Option', { exact: true }).fill('webhook_allow_http');
    await page.reload();
    const row = page.getByRole('row', { name: /webhook_allow_http/ });
    await row
      .getByText(/MNEME_|environment/i)
      .last()
      .waitFor();

    expect(await page.getByRole('row').count()).toBe(2);
    expect(problems).toEqual([]);
  });

  it('says why a section could not be read, and reads it again', async () => {
    const { page } = await open({ view: '#home' });
    await page.route(/\/v1\/keys\//, (route) =>
      route.fulfill({ status: 400, json: { message: 'not today' } }),
    );
    await page.goto(`${service.url}/dashboard#settings/keys`);
    await page.getByRole('alert').getByText('not today').waitFor();
    await page.unroute(/\/v1\/keys\//);
    await page.getByRole('button', { name: 'Try again' }).click();

    await page.getByRole('list', { name: 'Keys' }).waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
  });

  it('shows a member who only reads no button that would be refused', async () => {
    const bob = await createKey(data_dir, ['--email', 'bob@example.com']);
    const { page, problems } = await open({ key: bob, view: '#settings/projects' });
    await page.getByRole('article', { name: 'Acme' }).waitFor();

    const names = await page.getByRole('main').getByRole('button').allTextContents();

    expect(names.filter((name) => !/^(Open|curl|TypeScript|Python|Copy)$/.test(name))).toEqual([]);
    expect(await page.getByLabel('New organization').count()).toBe(0);
    expect(problems).toEqual([]);
  });

  it.each([390, 1600])('fits and is accessible with its forms open at %d pixels', async (width) => {
    const { page } = await open({ key: eve, width, view: '#settings/projects' });
    await page
      .getByRole('button', { name: /^Rename / })
      .first()
      .click();
    const found: unknown[] = [await violationsOf(page), await page.evaluate(isTooWide)];
    await shot(page, `projects-${width}`);
    for (const section of ['keys', 'members', 'extraction', 'profiles', 'export']) {
      await page.goto(`${service.url}/dashboard#settings/${section}`);
      await page.getByText('Loading…').first().waitFor({ state: 'detached' });
      await page.getByText('This call as code').or(page.getByRole('form')).first().waitFor();
      await shot(page, `${section}-${width}`);
      found.push(await violationsOf(page), await page.evaluate(isTooWide));
    }

    expect(found).toEqual(Array.from({ length: 6 }, () => [[], false]).flat());
  });
});

async function projectOf(service: Service): Promise<Record<string, unknown>> {
  const { body } = await service.send('GET', '/v1/ping/', { key: ownerKey });
  return (await service.send('GET', `/v1/projects/${body.project_id}/`, { key: ownerKey })).body;
}
