import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
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

if (isMissing) it.skip('needs Chromium (CHROMIUM=path): the dashboard is not tried in a browser');

describe.skipIf(isMissing)('one memory in the dashboard', () => {
  let browser: Browser;
  let service: Service;
  let data_dir: string;

  beforeAll(async () => {
    data_dir = mkdtempSync(join(tmpdir(), 'mneme-detail-'));
    service = await spawnService({ data_dir });
    browser = await launchBrowser();
  });

  afterAll(async () => {
    await browser.close();
    service.kill('SIGKILL');
    await service.exited;
    rmSync(data_dir, { recursive: true, force: true });
  });

  const open = (look: Look) => openPage({ browser, service }, look);

  async function send(method: string, path: string, body?: Record<string, unknown>) {
    const { body: answer } = await service.send(method, path, { key: ownerKey, body });
    expect(answer).not.toHaveProperty('error');
    return answer;
  }

  async function add(text: string, more: Record<string, unknown> = {}): Promise<string> {
    const body = { text, user_id: 'ada', infer: false, ...more };
    const [stored] = listOf(await service.send('POST', '/v1/memories/', { key: ownerKey, body }));
    return String(stored?.id);
  }

  const update = (id: string, body: Record<string, unknown>) =>
    send('PUT', `/v1/memories/${id}/`, body);
  const read = async (id: string) =>
    (await send('GET', `/v1/memories/${id}/`)) as { memory: string };

  /** The page with this memory open. */
  async function openMemory(id: string, look: Look = {}) {
    const opened = await open(look);
    const { memory } = await read(id);
    await opened.page.locator('.row button', { hasText: memory.slice(0, 60).trim() }).click();
    await opened.page.getByRole('complementary', { name: 'Memory' }).waitFor();
    await opened.page.locator('.history li').first().waitFor();
    return opened;
  }

  const press = (page: Page, name: string) =>
    page.getByRole('button', { name, exact: true }).click();

  it('edits text, categories, expiry and metadata at once, with the types of values', async () => {
    const metadata = { source: 'mail', age: 7, tags: ['a'], sure: false };
    const id = await add('Ada keeps bees.', { metadata });
    const { page, problems } = await openMemory(id);

    await page.keyboard.press('e');
    await page.getByLabel('Text of the memory').fill('Ada keeps goats.');
    await page.getByLabel('Name of a category').fill('animals');
    await page.keyboard.press('Enter');
    await page.getByLabel('Name of a category').fill('farm');
    await page.getByLabel('Last day').fill('2090-01-31');
    await page.getByLabel('Value 2', { exact: true }).fill('eight');
    await press(page, 'Save');
    await page.getByText('The value of "age" must be a number').waitFor();
    await page.getByLabel('Value 2', { exact: true }).fill('8');
    await press(page, 'Remove key tags');
    await shot(page, 'editor-1600');
    await press(page, 'Save');
    await page.locator('.memory', { hasText: 'goats' }).waitFor();

    expect(await read(id)).toMatchObject({
      memory: 'Ada keeps goats.',
      categories: expect.arrayContaining(['animals', 'farm']),
      expiration_date: '2090-01-31',
      metadata: { source: 'mail', age: 8, sure: false },
    });
    await page.getByRole('row', { name: 'source mail' }).waitFor();
    expect(await page.getByRole('link', { name: 'farm' }).getAttribute('href')).toBe(
      '#memories?category=farm',
    );
    expect(await page.getByRole('link', { name: 'Profile' }).getAttribute('href')).toBe(
      '#people/user%2Fada',
    );
    expect(problems).toEqual([]);
  });

  it('presses nothing with the second click of a double click on Edit', async () => {
    const id = await add('Ada skates.');
    const { page } = await openMemory(id);
    const [edit, pin] = ['Edit', 'Pin'].map((name) => page.getByRole('button', { name }));
    const at = await edit?.boundingBox();

    await edit?.dblclick();
    const field = page.getByLabel('Text of the memory');
    await field.waitFor();
    const focused = await page.evaluate('document.activeElement.ariaLabel');
    const moved = await pin?.boundingBox();
    await page.keyboard.press('Escape');
    await edit?.waitFor();

    expect(moved?.x).toBe(at?.x); // the second click was on it
    expect(focused).toBe('Text of the memory');
    expect(await read(id)).toMatchObject({ pinned: false });
    await pin?.click();
    await page.getByRole('button', { name: 'Unpin' }).waitFor();
  });

  it('takes metadata as JSON, and says what is wrong with it', async () => {
    const id = await add('Ada sews.');
    const { page } = await openMemory(id);
    await press(page, 'Edit');

    await press(page, 'As JSON');
    await page.getByLabel('Metadata as JSON').fill('[1]');
    await press(page, 'Save');
    await page.getByText('Metadata must be a JSON object').waitFor();
    await page.getByLabel('Metadata as JSON').fill('{"a": {"b": null}, "n": 1.5}');
    await press(page, 'As rows');
    const kind = await page.getByLabel('Kind of value 2').inputValue();
    await press(page, 'Save');
    await page.getByRole('row', { name: 'n 1.5' }).waitFor();

    expect(kind).toBe('number');
    expect(await read(id)).toMatchObject({ metadata: { a: { b: null }, n: 1.5 } });
  });

  it('keeps what was typed when saving fails', async () => {
    const id = await add('Ada naps.');
    const { page } = await openMemory(id);
    await press(page, 'Edit');
    await page.getByLabel('Text of the memory').fill('x'.repeat(32_001));

    await press(page, 'Save');

    await page.getByRole('alert').filter({ hasText: '32000' }).waitFor();
    expect(await page.getByLabel('Text of the memory').inputValue()).toHaveLength(32_001);
  });

  it('keeps what was typed while another memory is looked at, until it is cancelled', async () => {
    const [first, second] = [await add('Ada hums.'), await add('Ada paints.')];
    const { page } = await openMemory(first);
    const field = page.getByLabel('Text of the memory');
    await press(page, 'Edit');
    await field.fill('Ada hums loudly.');

    await page.goto(`${service.url}/dashboard#memories/${second}`);
    await page.locator('.detail .memory', { hasText: 'Ada paints.' }).waitFor();
    await page.goto(`${service.url}/dashboard#memories/${first}`);
    await field.waitFor();
    const kept = await field.inputValue();
    await press(page, 'Cancel');
    await page.locator('.detail .memory', { hasText: 'Ada hums.' }).waitFor();
    await press(page, 'Edit');

    expect(kept).toBe('Ada hums loudly.');
    expect(await field.inputValue()).toBe('Ada hums.');
  });

  it('shows what somebody else wrote meanwhile beside what was typed, and saves either', async () => {
    const id = await add('Ada runs daily.');
    const { page } = await openMemory(id);
    await press(page, 'Edit');
    await page.getByLabel('Text of the memory').fill('Ada rides daily.');
    await update(id, { text: 'Ada swims daily.', metadata: { by: 'other' } });

    await press(page, 'Save');
    const clash = page.getByRole('region', { name: 'Changed meanwhile' });
    await clash.locator('del', { hasText: 'swims' }).waitFor();
    await page.locator('.history ins', { hasText: 'swims' }).waitFor();
    const typed = await page.getByLabel('Text of the memory').inputValue();
    await shot(page, 'conflict-1600');
    expect(await violationsOf(page)).toEqual([]);
    await press(page, 'Save mine');
    await page.locator('.memory', { hasText: 'rides' }).waitFor();

    expect(typed).toBe('Ada rides daily.');
    expect(await read(id)).toMatchObject({ memory: 'Ada rides daily.', metadata: { by: 'other' } });
  });

  it('restores an earlier version after showing it, also after a deletion', async () => {
    const id = await add('Ada lives in Rome.', { metadata: { at: 1 } });
    await update(id, { text: 'Ada lives in Bonn.', metadata: { at: 2 } });
    const { page, problems } = await openMemory(id);
    const restore = page.getByRole('button', { name: 'Restore this version' });

    const count = await restore.count();
    await restore.click();
    const dialog = page.getByRole('dialog', { name: 'Restore this version?' });
    await dialog.getByText('Metadata: {"at":1}').waitFor();
    await dialog.getByRole('button', { name: 'Restore it' }).click();
    await page.locator('.memory', { hasText: 'Rome' }).waitFor();
    const restored = await read(id);
    await send('DELETE', `/v1/memories/${id}/`);
    await restore.first().click();
    await dialog.getByRole('button', { name: 'Restore it' }).click();
    await page.locator('.history', { hasText: 'Deleted' }).waitFor();

    expect(count).toBe(1);
    expect(restored).toMatchObject({ memory: 'Ada lives in Rome.', metadata: { at: 1 } });
    expect(await read(id)).toMatchObject({ memory: 'Ada lives in Bonn.', metadata: { at: 2 } });
    expect(problems).toEqual([]);
  });

  it('asks before a deletion with the safe button first, and undoes it', async () => {
    const id = await add('Ada fences.');
    const { page } = await openMemory(id);

    await press(page, 'Delete');
    const dialog = page.getByRole('dialog', { name: 'Delete this memory?' });
    const names = await dialog.getByRole('button').allTextContents();
    const focused = await page.evaluate('document.activeElement.textContent');
    await press(page, 'Delete it');
    await page.getByText('Deleted.', { exact: true }).waitFor();
    const isOpen = await page.getByRole('complementary').count();
    await press(page, 'Undo');
    await page.getByRole('button', { name: 'Ada fences.' }).waitFor();

    expect(names).toEqual(['Keep it', 'Delete it']);
    expect(focused).toBe('Keep it');
    expect(isOpen).toBe(0);
    expect(await read(id)).toMatchObject({ memory: 'Ada fences.' });
  });

  it('adds a memory, opens it, and keeps what was typed when that fails', async () => {
    const { page, problems } = await open({});
    await press(page, 'Add a memory');
    const dialog = page.getByRole('dialog', { name: 'Add a memory' });

    await dialog.getByLabel('Text').fill('Bob paints boats.');
    await dialog.getByLabel('Name of the user').fill('*');
    await dialog.getByLabel('Name of a category').fill('art');
    await dialog.getByRole('button', { name: 'Add', exact: true }).last().click();
    await dialog.getByRole('alert').waitFor();
    await dialog.getByLabel('Name of the user').fill('bob');
    await shot(page, 'add-1600');
    expect(await violationsOf(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Add', exact: true }).last().click();
    await page.getByRole('status').filter({ hasText: 'Stored: Bob paints boats.' }).waitFor();
    await page.locator('.memory', { hasText: 'Bob paints boats.' }).waitFor();
    await page.getByRole('link', { name: 'art' }).waitFor();

    expect(problems.filter((one) => !one.includes('400'))).toEqual([]);
  });

  it('extracts facts, and says what became of each', async () => {
    const { page } = await open({});
    await press(page, 'Add a memory');
    const dialog = page.getByRole('dialog', { name: 'Add a memory' });

    await dialog.getByLabel('Text').fill('I live in Oslo. I love green tea.');
    await dialog.getByLabel('Name of the user').fill('cleo');
    await dialog.getByLabel('Extract facts').check();
    await dialog.getByRole('button', { name: 'Add', exact: true }).last().click();

    const said = page.getByRole('status').filter({ hasText: 'Stored: User lives in Oslo.' });
    await said.filter({ hasText: 'green tea' }).waitFor();
  });

  it('files, exports, deletes and pins several at once', async () => {
    const ids = [await add('Dan bakes.', { user_id: 'dan' })];
    ids.push(await add('Dan cooks.', { user_id: 'dan', immutable: true }));
    const { page, problems } = await open({});
    for (const text of ['Dan bakes.', 'Dan cooks.'])
      await page.getByLabel(`Choose ${text}`).check();

    const saving = page.waitForEvent('download');
    await press(page, 'Export as JSONL');
    const file = await (await saving).path();
    const imported = mneme('import', file, '--dry-run', '--data-dir', data_dir);
    await press(page, 'Move to category');
    const dialog = page.getByRole('dialog', { name: 'Move to a category' });
    await dialog.getByLabel('Name of a category').fill('kitchen');
    await dialog.getByRole('button', { name: 'Move' }).click();
    await page.getByText('2 chosen').waitFor({ state: 'detached' });
    const filed = await Promise.all(ids.map(read));
    for (const text of ['Dan bakes.', 'Dan cooks.'])
      await page.getByLabel(`Choose ${text}`).check();
    await press(page, 'Delete');
    await press(page, 'Delete for now');
    await page.getByText('2 memories are deleted.').waitFor();
    await press(page, 'Undo');
    await page.getByLabel('Choose Dan cooks.').waitFor();
    await page.getByLabel('Choose Dan bakes.').check();
    await press(page, 'Pin');
    await page.locator('.row', { hasText: 'Dan bakes.' }).getByText('pinned').waitFor();

    expect(imported).toContain('2');
    expect(filed).toMatchObject([{ categories: ['kitchen'] }, { immutable: true }]);
    expect(filed[1]).not.toMatchObject({ categories: ['kitchen'] });
    expect(problems).toEqual([]);
  });

  it('offers a reader, and for an immutable memory anybody, only what is allowed', async () => {
    const id = await add('Eve sings.', { immutable: true });
    await add('Eve sings alto.');
    const reader = await openMemory(id, { key: readerKey() });
    const ownPage = await openMemory(id);
    const buttons = ({ page }: { page: Page }) =>
      page.getByRole('complementary').getByRole('button').allTextContents();

    await ownPage.page.getByText('It is immutable').waitFor();
    expect(await buttons(reader)).toEqual(['Close', 'Copy']);
    expect(await reader.page.getByRole('button', { name: 'Add a memory' }).count()).toBe(0);
    expect((await buttons(ownPage)).filter((name) => /Edit|Pin|Restore/.test(name))).toEqual([]);
    expect(await buttons(ownPage)).toContain('Delete');
  });

  it.each([390, 1600])('shows hostile and long texts as text at %i pixels', async (width) => {
    const hostile = '<img src=x onerror=globalThis.hacked=1>';
    const id = await add(`${'أحب الشاي. '.repeat(2_000)}${width}`, {
      metadata: { [hostile]: hostile, [`k${'x'.repeat(500)}`]: 'y'.repeat(2_000) },
      user_id: `${hostile}${width}`,
    });
    await update(id, { text: `${width} ${'كلمة '.repeat(6_398)}`, categories: [hostile] });
    const { page, problems } = await openMemory(id, { width });

    await page.getByRole('row', { name: hostile }).waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await shot(page, `detail-${width}`);
    await press(page, 'Edit');
    await shot(page, `edit-${width}`);
    expect(await violationsOf(page)).toEqual([]);
    expect(await page.evaluate(isTooWide)).toBe(false);
    expect(await page.evaluate('globalThis.hacked')).toBeUndefined();
    expect(problems).toEqual([]);
  });

  it.each([
    { width: 390, colorScheme: 'dark' },
    { width: 1600, colorScheme: 'dark' },
  ] as const)('fits at $width pixels with controls that a thumb meets', async (look) => {
    const id = await add(`Fay climbs ${look.width} walls.`, { metadata: { a: 1 } });
    await update(id, { text: `Fay climbed ${look.width} walls.` });
    const { page } = await openMemory(id, look);
    await shot(page, `calm-${look.width}-dark`);
    await press(page, 'Edit');
    await press(page, 'Add a key');

    const heights = (await page.evaluate(
      `[...document.querySelectorAll('.detail :is(button, input, select, textarea, .as-button)')]
        .map((one) => one.getBoundingClientRect().height)
        .filter((height) => height > 0)`, // not those of dialogs that are closed
    )) as number[];

    await shot(page, `calm-edit-${look.width}-dark`);
    expect(await violationsOf(page)).toEqual([]);
    expect(await page.evaluate(isTooWide)).toBe(false);
    if (look.width < 800) expect(Math.min(...heights)).toBeGreaterThanOrEqual(36);
  });

  function mneme(...args: string[]): string {
    return execFileSync(process.execPath, ['dist/cli.js', ...args], { encoding: 'utf8' });
  }

  function readerKey(): string {
    const printed = mneme('keys', 'create', '--read-only', '--data-dir', data_dir);
    const [key] = /mk_\w+/.exec(printed) ?? [];
    if (key === undefined) throw new Error('no key was printed');
    return key;
  }
});
