import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
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

if (isMissing) it.skip('needs Chromium (CHROMIUM=path): the graph is not tried in a browser');

describe.skipIf(isMissing)('the graph', () => {
  let browser: Browser;
  let service: Service;
  let data_dir: string;

  beforeAll(async () => {
    data_dir = mkdtempSync(join(tmpdir(), 'mneme-graph-'));
    service = await spawnService({ data_dir });
    browser = await launchBrowser();
    const texts = [
      'My sister Anna lives in Oslo.',
      'Anna works at Acme.',
      'Anna likes black coffee.',
      'My brother Carl lives in Bonn.',
    ];
    for (const text of texts) {
      const body = { text, user_id: 'ada', infer: false, enable_graph: true };
      await service.send('POST', '/v1/memories/', { key: ownerKey, body });
    }
  });

  afterAll(async () => {
    await browser.close();
    service.kill('SIGKILL');
    await service.exited;
    rmSync(data_dir, { recursive: true, force: true });
  });

  const open = (look: Look) => openPage({ browser, service }, look);

  it('writes the words of a relation only where the pointer is, or for the one explained', async () => {
    const { page, problems } = await open({ view: '#graph/Anna' });
    const ofAnna = page.locator('svg.graph .edge.near', { hasText: 'Anna lives in Oslo' });
    const shown = () => page.locator('svg.graph .edge text:visible').allTextContents();
    await ofAnna.waitFor();

    const before = await shown();
    await ofAnna.locator('.target').hover();
    await ofAnna.locator('text').waitFor();
    const pointed = await shown();
    await page.mouse.move(0, 0);
    await page.getByRole('button', { name: 'Why: Anna works at Acme' }).click();
    await page.getByRole('status', { name: 'Evidence' }).getByText('Anna works at Acme.').waitFor();

    expect([before, pointed, await shown()]).toEqual([[], ['lives in'], ['works at']]);
    expect(problems).toEqual([]);
  });

  it('leads from a relation to the other entity, and says what the colours mean', async () => {
    const { page } = await open({ view: '#graph/Anna?user_id=ada' });
    const relations = page.getByRole('region', { name: 'Relations' });

    await relations.getByRole('link', { name: 'Oslo' }).click();
    await relations.getByRole('heading', { name: 'Oslo' }).waitFor();

    const colours = page.getByRole('list', { name: 'Colours' }).getByRole('listitem');
    expect(await colours.allTextContents()).toEqual([
      'person',
      'place',
      'organization',
      'thing or topic',
      'other',
    ]);
    expect(page.url()).toContain('user_id=ada');
  });

  it('is a list on phones, where nobody could read a picture', async () => {
    const { page } = await open({ width: 360, view: '#graph/Anna' });

    await page.getByRole('button', { name: 'Why: Anna lives in Oslo' }).click();
    await page.getByRole('status', { name: 'Evidence' }).waitFor();

    expect(await page.locator('svg.graph').count()).toBe(0);
  });

  it.each(
    [390, 1600].flatMap((width) =>
      (['light', 'dark'] as const).map((colorScheme) => ({ width, colorScheme })),
    ),
  )('is accessible and fits at $width pixels, $colorScheme', async (look) => {
    const { page, problems } = await open({ ...look, view: '#graph/Anna' });
    await page.getByRole('region', { name: 'Relations' }).waitFor();
    await shot(page, `graph-${look.width}-${look.colorScheme}`);

    expect(await violationsOf(page)).toEqual([]);
    expect(await page.evaluate(isTooWide)).toBe(false);
    expect(problems).toEqual([]);
  });
});
