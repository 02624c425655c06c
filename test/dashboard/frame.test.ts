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

if (isMissing) it.skip('needs Chromium (CHROMIUM=path): the frame is not tried in a browser');

describe.skipIf(isMissing)('the frame of the dashboard', () => {
  let browser: Browser;
  let service: Service;
  let data_dir: string;

  beforeAll(async () => {
    data_dir = mkdtempSync(join(tmpdir(), 'mneme-frame-'));
    service = await spawnService({ data_dir });
    browser = await launchBrowser();
    const body = { text: 'Ada keeps bees.', user_id: 'ada', infer: false };
    await service.send('POST', '/v1/memories/', { key: ownerKey, body });
  });

  afterAll(async () => {
    await browser.close();
    service.kill('SIGKILL');
    await service.exited;
    rmSync(data_dir, { recursive: true, force: true });
  });

  const open = (look: Look) => openPage({ browser, service }, look);

  it('goes to a view, finds a memory and asks a question from the palette', async () => {
    const { page, problems } = await open({ view: '' });
    const field = page.getByRole('combobox', { name: 'Go to, search, or do' });

    await page.keyboard.press('Control+k');
    await field.fill('webh');
    await page.getByRole('option', { name: 'Webhooks', exact: false }).first().waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await shot(page, 'palette-1600-light');
    await page.keyboard.press('Enter');
    await page.getByText('No address is told of changes yet').waitFor();

    await page.locator('button.find').click();
    await field.fill('bees');
    await page.getByRole('option', { name: 'Memory Ada keeps bees.' }).click();
    await page
      .getByRole('complementary', { name: 'Memory' })
      .locator('.memory', { hasText: 'Ada keeps bees.' })
      .waitFor();

    await page.keyboard.press('Control+k');
    await field.fill('What does Ada keep?');
    await page.keyboard.press('Enter');
    expect(await page.evaluate('location.hash')).toContain('#ask?query=What+does+Ada+keep');
    expect(problems).toEqual([]);
  });

  it('moves through the palette by keys, and closes it with Escape', async () => {
    const { page } = await open({ view: '' });
    const chosen = page.locator('[role=option][aria-selected=true]');

    await page.keyboard.press('Control+k');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    const third = await chosen.textContent();
    await page.keyboard.press('ArrowUp');
    const second = await chosen.textContent();
    await page.keyboard.press('Escape');

    expect([second, third]).toEqual(['Go toMemories', expect.stringMatching(/^Go to/)]);
    expect(await page.getByRole('dialog').count()).toBe(0);
  });

  it('presses nothing beneath the palette with its Enter', async () => {
    const { page } = await open({ view: '' });
    const theme = page.getByRole('button', { name: /^Theme:/ });
    const before = await theme.textContent();
    await theme.focus();

    await page.keyboard.press('Control+k');
    await page.getByLabel('Go to, search, or do').fill('Timeline');
    await page.keyboard.press('Enter');
    await page.getByText('Show what was known').waitFor();

    expect(await theme.textContent()).toBe(before);
  });

  it('leaves an open dialog alone: no palette and no list of keys above it', async () => {
    const { page } = await open({});
    await page.getByRole('button', { name: 'Add a memory' }).click();
    await page.getByRole('dialog', { name: 'Add a memory' }).waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).focus();

    for (const key of ['Control+k', 'Meta+k', '?']) await page.keyboard.press(key);
    const shown = await page
      .locator('dialog[open]')
      .evaluateAll((all) => all.map((one) => one.ariaLabel));
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+k');

    await page.getByRole('dialog', { name: 'Search and commands' }).waitFor();
    expect(shown).toEqual(['Add a memory']);
  });

  it('switches to another project, which a reload keeps', async () => {
    const { body } = await service.send('GET', '/v1/ping/', { key: ownerKey });
    const { org_id } = body as { org_id: string };
    const path = `/api/v1/orgs/organizations/${org_id}/projects/`;
    await service.send('POST', path, { key: ownerKey, body: { name: 'Garden' } });
    const { page, problems } = await open({ view: '' });
    const lists: string[] = [];
    page.on('request', (request) => {
      if (/\/(orgs|organizations)\//.test(request.url())) lists.push(request.url());
    });
    await page.reload();
    await page.getByText('Recent changes').waitFor();
    const before = lists.filter((url) => !url.includes('/projects/'));
    await page.getByLabel('Project').focus();
    await page
      .getByLabel('Project')
      .locator('option', { hasText: 'Garden' })
      .waitFor({ state: 'attached' });
    await page.getByLabel('Project').selectOption({ label: 'Garden' });
    await page.getByText('Nothing is remembered yet').waitFor();
    await page.reload();
    await page.getByText('Nothing is remembered yet').waitFor();

    expect(await page.getByLabel('Project').locator('option:checked').textContent()).toBe('Garden');
    expect(before).toEqual([]); // the projects are read when the menu is opened
    expect(problems).toEqual([]);
  });

  it('says who is signed in, and with which rights', async () => {
    const reader = await createKey(data_dir, ['--read-only']);
    const owner = await open({ view: '' });
    const other = await open({ view: '', key: reader });

    await owner.page.locator('.top > .account').getByText('owner of the store').waitFor();
    await other.page.locator('.top > .account').getByText('read only').waitFor();
  });

  it('has a bar at the bottom on phones, with everything else under More', async () => {
    const { page, problems } = await open({ width: 390, view: '' });
    const bar = page.getByRole('navigation', { name: 'Views' });

    await page.getByText('Recent changes').waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await shot(page, 'phone-home');
    expect(await bar.getByRole('link').count()).toBe(4);
    await bar.getByRole('button', { name: 'More' }).click();
    await shot(page, 'phone-more');
    expect(await violationsOf(page)).toEqual([]);
    await page.getByRole('button', { name: 'Help' }).click();
    await page.getByRole('dialog', { name: 'Help' }).getByRole('button', { name: 'Close' }).click();
    await page
      .getByRole('navigation', { name: 'All views' })
      .getByRole('link', { name: 'Timeline' })
      .click();
    await page.getByText('Show what was known').waitFor();

    const box = await bar.boundingBox();
    expect(box && Math.round(box.y + box.height)).toBe(900);
    expect(await page.evaluate(isTooWide)).toBe(false);
    expect(problems).toEqual([]);
  });

  it('has the name of the view as its title, at both widths', async () => {
    const titles = ['Home', 'Memories', 'People', 'Ask', 'Review', 'Timeline', 'Graph'];
    for (const width of [360, 1600]) {
      const { page } = await open({ width, view: '' });
      for (const title of [...titles, 'Replay', 'Activity', 'Settings']) {
        await page.goto(`${service.url}/dashboard#${title.toLowerCase()}`);
        await page.getByRole('main').getByRole('heading', { level: 1, name: title }).waitFor();
        expect([title, await page.locator('h1').count()]).toEqual([title, 1]);
      }
    }
  });

  it('says in the menu how much is waiting, to those who can decide', async () => {
    const { body } = await service.send('GET', '/v1/ping/', { key: ownerKey });
    const path = `/v1/projects/${body.project_id}/`;
    await service.send('PATCH', path, { key: ownerKey, body: { review: 'all' } });
    const waiting = { text: 'Ada may move.', user_id: 'ada', infer: false };
    await service.send('POST', '/v1/memories/', { key: ownerKey, body: waiting });
    await service.send('PATCH', path, { key: ownerKey, body: { review: 'off' } });
    const owner = await open({});
    const phone = await open({ width: 390, view: '' });
    const reader = await open({ key: await createKey(data_dir, ['--read-only']) });
    const asked: string[] = [];
    reader.page.on('request', (request) => asked.push(request.url()));
    const views = owner.page.getByRole('navigation', { name: 'Views' });

    await phone.page.getByRole('button', { name: 'More 1 waiting' }).waitFor();
    await shot(phone.page, 'phone-badge');
    await views.getByRole('link', { name: 'Review 1 waiting' }).waitFor();
    expect(await violationsOf(owner.page)).toEqual([]);
    await views.getByRole('link', { name: 'Review' }).click();
    const decline = owner.page.getByRole('button', { name: 'Decline', exact: true });
    await decline.click();
    await decline.waitFor({ state: 'detached' });
    await views.getByRole('link', { name: 'Memories' }).click();
    await owner.page.getByRole('button', { name: 'Ada keeps bees.' }).waitFor();
    await reader.page.reload();
    await reader.page.getByRole('button', { name: 'Ada keeps bees.' }).waitFor();

    expect(await owner.page.locator('.badge').count()).toBe(0);
    expect(asked.filter((url) => url.includes('/v1/reviews/'))).toEqual([]);
  });

  it('counts in the menu what an undo lets wait again', async () => {
    const { body } = await service.send('GET', '/v1/ping/', { key: ownerKey });
    const path = `/v1/projects/${body.project_id}/`;
    await service.send('PATCH', path, { key: ownerKey, body: { review: 'all' } });
    const waiting = { text: 'Ada may sail.', user_id: 'ada', infer: false };
    const added = await service.send('POST', '/v1/memories/', { key: ownerKey, body: waiting });
    await service.send('PATCH', path, { key: ownerKey, body: { review: 'off' } });
    const review = `/v1/reviews/${listOf(added)[0]?.id}/`;
    const accept = { key: ownerKey, body: { decision: 'accept' } };
    const accepted = await service.send('POST', review, accept);
    const { page } = await open({ view: '#timeline' });
    const link = page.getByRole('link', { name: 'Review 1 waiting' });
    await page.getByRole('button', { name: 'Undo' }).first().waitFor();
    const before = await link.count();

    await page.getByRole('button', { name: 'Undo' }).first().click();
    await page.getByRole('button', { name: 'Undo it' }).click();

    await link.waitFor();
    await service.send('POST', review, { key: ownerKey, body: { decision: 'decline' } });
    expect(accepted.body).toMatchObject({ event_id: expect.any(String) });
    expect(before).toBe(0);
  });

  it('has tabs in one row on phones, with the current one in view', async () => {
    const { page } = await open({ width: 360, view: '#settings/configuration' });
    const tabs = page.getByRole('navigation', { name: 'Settings' });
    const current = tabs.locator('[aria-current]');
    await current.waitFor();
    await shot(page, 'phone-tabs');

    const [row, link] = [await tabs.boundingBox(), await current.boundingBox()];

    expect(row?.height).toBeLessThan(60);
    expect(link && link.x >= 0 && link.x + link.width <= 360).toBe(true);
    expect(await page.evaluate(isTooWide)).toBe(false);
  });

  it('names the theme that it has', async () => {
    const { page } = await open({});

    await page.getByRole('button', { name: 'Theme: System' }).click();

    await page.getByRole('button', { name: 'Theme: Light' }).waitFor();
  });

  it('keeps the day that is shown from view to view, in the address', async () => {
    const { page } = await open({ view: '#memories?as_of=2026-01-05' });

    await page.getByText('Nothing was remembered yet on that day').waitFor();
    await page.getByRole('link', { name: 'Ask' }).click();
    await page.getByText('You see what was known at the end of').waitFor();
    const address = await page.evaluate('location.hash');
    await page.goBack();
    await page.getByText('Nothing was remembered yet on that day').waitFor();

    expect(address).toBe('#ask?as_of=2026-01-05');
  });

  it('covers the view when the session ends, and goes on with what was typed', async () => {
    const { page } = await open({});
    await page.getByRole('button', { name: 'Ada keeps bees.' }).click();
    await page.keyboard.press('e');
    const text = page.getByLabel('Text of the memory');
    await text.fill('Ada keeps bees and ducks.');
    await page.context().clearCookies();

    await page.getByRole('button', { name: 'Save' }).click();
    const dialog = page.getByRole('dialog', { name: 'Sign in again' });
    await dialog.getByLabel('API key').fill(ownerKey);
    await dialog.getByRole('button', { name: 'Sign in' }).click();
    await dialog.waitFor({ state: 'hidden' });

    expect(await text.inputValue()).toBe('Ada keeps bees and ducks.');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.locator('ins', { hasText: 'ducks' }).first().waitFor();
  });

  it('says that the server does not answer, and goes on when it is back', async () => {
    const { page } = await open({ view: '' });
    await page.getByText('Recent changes').waitFor();
    await refuse(page);

    await page.getByRole('link', { name: 'Review', exact: true }).click();
    const said = page.getByRole('alert').filter({ hasText: 'Is `mneme serve` still running?' });
    await said.first().waitFor();
    await expect.poll(() => page.getByText('Loading').count()).toBe(0);
    await page.route('**/healthz', (route) => route.abort()); // so that it does not find out itself
    await page.unroute('**');
    await said.last().getByRole('button', { name: 'Try again' }).click(); // the one of the view

    await page.getByText('Nothing to review').waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
  });

  it('has a first page of at most 150 kB compressed, and other views on demand', async () => {
    const { page } = await open({ view: '' });
    const sizes = new Map<string, number>();
    page.on('response', async (response) => {
      const { pathname } = new URL(response.url());
      if (!pathname.startsWith('/dashboard')) return;
      sizes.set(pathname, Number(await response.headerValue('content-length')));
    });
    await page.reload();
    await page.getByText('Recent changes').waitFor();
    const first = [...sizes.values()].reduce((sum, size) => sum + size, 0);
    const before = sizes.size;
    await page.getByRole('link', { name: 'Graph' }).click();
    await page.getByText('No relations are known yet').waitFor();

    expect(first).toBeGreaterThan(10_000);
    expect(first).toBeLessThan(150_000);
    expect(sizes.size).toBeGreaterThan(before);
  });

  it('has a policy that allows nothing unsafe, and can stand in no other page', async () => {
    const { headers } = await fetch(`${service.url}/dashboard`);

    const policy = headers.get('Content-Security-Policy') ?? '';
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain('unsafe');
  });

  /** As if the server had ended. */
  async function refuse(page: Page): Promise<void> {
    await page.route('**', (route) =>
      route.request().url().includes('/assets/') ? route.continue() : route.abort(),
    );
  }
});
