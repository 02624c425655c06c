import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Locator } from 'playwright-core';
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

  it('is seen closer by buttons and keys, is moved by the pointer, and fits again', async () => {
    const { page } = await open({ view: '#graph' });
    const picture = page.locator('svg.graph');
    const [x0, , width0] = await boxOf(picture);

    await page.getByRole('button', { name: 'Zoom in' }).click();
    await page.keyboard.press('+');
    const [x1, , width1] = await boxOf(picture);
    await picture.hover({ position: { x: 20, y: 20 } });
    await page.mouse.down();
    await page.mouse.move(400, 400);
    await page.mouse.up();
    const [x2, , width2] = await boxOf(picture);
    await page.keyboard.press('0');

    expect(width0 / width1).toBeCloseTo(2.25, 5);
    expect(x1).toBeGreaterThan(x0);
    expect([x2 === x1, width2]).toEqual([false, width1]);
    expect(await boxOf(picture)).toEqual([x0, expect.any(Number), width0, expect.any(Number)]);
    expect(page.url()).toMatch(/#graph$/);
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

type ViewBox = [x: number, y: number, width: number, height: number];

async function boxOf(picture: Locator): Promise<ViewBox> {
  const text = (await picture.getAttribute('viewBox')) ?? '';
  return text.split(' ').map(Number) as ViewBox; // always four
}
