import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { layOut, type Point } from '../../src/dashboard/graph/layout.ts';
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

describe('the picture of a graph', () => {
  const entities = Array.from({ length: 90 }, (_, at) => ({
    name: `entity ${at}`,
    type: 'thing',
    degree: 1,
  }));
  const edges = entities.slice(8).map(({ name }, at) => ({
    source: `entity ${at % 8}`,
    source_type: 'thing',
    relationship: 'has',
    target: name,
    target_type: 'thing',
    memory_id: `${at}`,
    memory: '',
  }));
  const nearest = (places: ReadonlyMap<string, Point>) => {
    const all = [...places.values()];
    const distances = all.flatMap((one, at) =>
      all.slice(at + 1).map((other) => Math.hypot(one.x - other.x, one.y - other.y)),
    );
    return Math.min(...distances);
  };

  it('has room between all that it shows, also around what has its place', () => {
    const some = { entities: entities.slice(0, 60), edges: edges.slice(0, 52) };

    const before = layOut(some, new Map());
    const after = layOut({ entities, edges }, before);

    // Ten relations give an entity a circle of 18.
    for (const places of [before, after]) expect(nearest(places)).toBeGreaterThan(2 * 18);
    for (const [name, { x, y }] of before) expect(after.get(name)).toEqual({ x, y });
  });

  it('leaves out the places of what is not shown any more', () => {
    const before = layOut({ entities, edges }, new Map());
    const some = entities.slice(0, 8);

    const after = layOut({ entities: some, edges: [] }, before);

    expect([...after]).toEqual(some.map(({ name }) => [name, before.get(name)]));
  });
});

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
