import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ownerKey, type Service, spawnService } from '../e2e/service.ts';
import { isMissing, launchBrowser, openPage } from './browser.ts';

if (isMissing) it.skip('needs Chromium (CHROMIUM=path): the dashboard is not tried in a browser');

describe.skipIf(isMissing)('the dashboard of a server that refuses', () => {
  let browser: Browser;
  let service: Service;
  let data_dir: string;

  beforeAll(async () => {
    data_dir = mkdtempSync(join(tmpdir(), 'mneme-refused-'));
    service = await spawnService({ data_dir });
    browser = await launchBrowser();
  });

  afterAll(async () => {
    await browser.close();
    service.kill('SIGKILL');
    await service.exited;
    rmSync(data_dir, { recursive: true, force: true });
  });

  it('leaves it alone for as long as it asks, and then goes on', async () => {
    const texts = Array.from({ length: 250 }, (_, index) => `Row ${index}.`);
    for (const from of [0, 100, 200]) {
      const messages = texts.slice(from, from + 100).map((content) => ({ role: 'user', content }));
      const body = { messages, user_id: 'rows', infer: false };
      await service.send('POST', '/v1/memories/', { key: ownerKey, body });
    }
    const { page } = await openPage({ browser, service }, {});
    await page.getByText('Row 249.').waitFor();
    const asked: number[] = [];
    const address = /\/memories\/(\?|$)/;
    await page.route(address, async (route) => {
      asked.push(Date.now());
      const headers = { 'Retry-After': '1' };
      await route.fulfill({ status: 429, headers, json: { message: 'at most 60 a minute' } });
    });

    await page.getByText('Row 249.').hover();
    await page.mouse.wheel(0, 100_000);
    await page.getByRole('alert').filter({ hasText: 'at most 60 a minute' }).waitFor();
    await expect.poll(() => asked.length, { timeout: 20_000 }).toBeGreaterThan(3);
    await page.unroute(address);

    await page.getByText('Row 0.').waitFor();
    const gaps = asked.slice(1).map((time, index) => time - (asked[index] ?? 0));
    expect(Math.min(...gaps)).toBeGreaterThan(900);
  });
});
