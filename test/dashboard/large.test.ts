import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Service, spawnService } from '../e2e/service.ts';
import { databaseOf, dropDatabase } from '../support/database.ts';
import { isMissing, isTooWide, launchBrowser, openPage, shot, violationsOf } from './browser.ts';
import { fillLarge, middleText, oldestText, viewContents } from './large.ts';

const count = Number(process.env.TEST_LARGE_COUNT ?? '10000');

if (isMissing) it.skip('needs Chromium (CHROMIUM=path): large stores are not tried in a browser');

describe.skipIf(isMissing)(`the dashboard of ${count.toLocaleString('en')} memories`, () => {
  let browser: Browser;
  let service: Service;
  let data_dir: string;

  beforeAll(async () => {
    data_dir = mkdtempSync(join(tmpdir(), 'mneme-large-'));
    const { database } = await databaseOf(data_dir);
    await fillLarge({ data_dir, database_url: database?.url ?? null }, count);
    const env = database === undefined ? {} : { MNEME_DATABASE_URL: database.url };
    service = await spawnService({ data_dir, env });
    browser = await launchBrowser();
  }, 600_000);

  afterAll(async () => {
    await browser.close();
    service.kill('SIGKILL');
    await service.exited;
    await dropDatabase(data_dir);
    rmSync(data_dir, { recursive: true, force: true });
  });

  const open = (view: string) => openPage({ browser, service }, { view });

  it.each(Object.entries(viewContents))(
    'shows %s, accessible and without problems',
    async (view, content) => {
      const { page, problems } = await open(`#${view}`);

      await page.getByRole('main').locator(content).first().waitFor();
      await shot(page, `large-${view}`);

      expect(await violationsOf(page)).toEqual([]);
      expect(await page.evaluate(isTooWide)).toBe(false);
      expect(problems).toEqual([]);
    },
  );

  it('reaches the last of all rows by scrolling to the end, and one in the middle', async () => {
    const { page, problems } = await open('#memories');
    const table = page.locator('.table');
    const row = (text: string) => table.getByRole('button', { name: text, exact: true });
    const scrollTo = (share: number) =>
      table.evaluate((element, part) => {
        element.scrollTop = (element.scrollHeight - element.clientHeight) * part;
      }, share);
    await page.getByText(`${count.toLocaleString('en')} memories`, { exact: true }).waitFor();

    await scrollTo(1);
    await row(oldestText).waitFor();
    const last = await table.getByRole('listitem').last().getAttribute('aria-posinset');
    await scrollTo(0.5);
    await row(middleText).waitFor();
    await row(middleText).click();
    const detail = page.getByRole('complementary', { name: 'Memory' });
    await detail.locator('.memory', { hasText: middleText }).waitFor();

    expect(last).toBe(`${count}`);
    expect(problems).toEqual([]);
  });

  it('finds one of all memories by its words', async () => {
    const { page, problems } = await open('#memories');
    await page.getByLabel('Words in the text').fill('lighthouse keeper');
    await page.keyboard.press('Enter');

    await page.getByText('1 memory', { exact: true }).waitFor();

    const rows = page.getByRole('list', { name: 'Memories' }).getByRole('listitem');
    expect(await rows.allTextContents()).toEqual([expect.stringContaining(middleText)]);
    expect(problems).toEqual([]);
  });
});
