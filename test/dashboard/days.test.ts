import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dayInZone } from '../../src/contract/wall-clock.ts';
import { ownerKey, type Service, spawnService } from '../e2e/service.ts';
import { isMissing, launchBrowser, openPage } from './browser.ts';

if (isMissing) it.skip('needs Chromium (CHROMIUM=path): the dashboard is not tried in a browser');

describe.skipIf(isMissing)('the dashboard of a service in another time zone', () => {
  // It is another day there than in UTC, and stays so for an hour at least.
  const timezone = new Date().getUTCHours() < 10 ? 'Pacific/Pago_Pago' : 'Pacific/Kiritimati';
  const day = dayInZone(new Date().toISOString(), timezone);
  const meeting = 'I meet Bob on 3 May 2027 at 15:30.';
  let browser: Browser;
  let service: Service;
  let data_dir: string;

  beforeAll(async () => {
    data_dir = mkdtempSync(join(tmpdir(), 'mneme-days-'));
    service = await spawnService({ data_dir, env: { MNEME_TIMEZONE: timezone } });
    browser = await launchBrowser();
    const body = { messages: [{ role: 'user', content: meeting }], user_id: 'ada' };
    await service.send('POST', '/v1/memories/', { key: ownerKey, body });
  });

  afterAll(async () => {
    await browser.close();
    service.kill('SIGKILL');
    await service.exited;
    rmSync(data_dir, { recursive: true, force: true });
  });

  it('shows its days and its clock', async () => {
    const { page, problems } = await openPage({ browser, service }, {});
    const row = page.getByRole('listitem').filter({ hasText: 'Bob' });
    const inList = await row.locator('time').last().getAttribute('title');
    await row.getByText('Bob').click();
    const facts = await page.locator('.facts').textContent();

    await page.getByRole('link', { name: 'Timeline' }).click();
    await page.getByRole('region', { name: day }).waitFor();
    await page.getByRole('link', { name: 'Home', exact: true }).click();
    const learned = await page.getByRole('link', { name: 'learned today' }).textContent();

    expect(inList).toContain(`${day} `);
    expect(facts).toMatch(new RegExp(`Added[^·]+ · ${day} `));
    expect(facts).toContain('Happened2027-05-03 15:30');
    expect(learned).toBe('1 learned today');
    expect(problems).toEqual([]);
    await page.context().close();
  });
});
