import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import { ownerKey, type Service } from '../e2e/service.ts';
import { findBrowser } from '../library/browser.ts';

const executablePath = findBrowser();
export const isMissing = executablePath === null;
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

export function launchBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: executablePath ?? 'chromium',
    args: ['--no-sandbox'],
  });
}

export type Look = {
  width?: number;
  colorScheme?: 'light' | 'dark';
  key?: string;
  view?: string;
};

/** A signed-in page, and what went wrong on it or went elsewhere. */
export async function openPage(
  { browser, service }: { browser: Browser; service: Service },
  { width = 1600, colorScheme = 'light', key = ownerKey, view = '#memories' }: Look,
) {
  const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme });
  const page = await context.newPage();
  page.setDefaultTimeout(10_000);
  const problems: string[] = [];
  page.on('console', (line) => line.type() === 'error' && problems.push(line.text()));
  page.on('pageerror', ({ message }) => problems.push(message));
  page.on('dialog', (dialog) => problems.push(dialog.message()));
  page.on('request', (request) => {
    if (!request.url().startsWith(service.url)) problems.push(request.url());
  });
  await page.goto(`${service.url}/dashboard${view}`);
  await page.getByLabel('API key').fill(key);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('navigation', { name: 'Views' }).waitFor();
  return { page, problems };
}

export const isTooWide =
  'document.documentElement.scrollWidth > document.documentElement.clientWidth';

/** What axe finds, with the elements. */
export async function violationsOf(page: Page): Promise<unknown[]> {
  await page.evaluate(axe);
  return page.evaluate(
    `axe.run().then(({ violations }) =>
      violations.map(({ id, nodes }) => [id, nodes.map(({ target }) => String(target))]))`,
  );
}

/** With DASHBOARD_SHOTS=FOLDER, a picture for people to look at. */
export async function shot(page: Page, name: string): Promise<void> {
  const folder = process.env.DASHBOARD_SHOTS;
  if (folder !== undefined) await page.screenshot({ path: join(folder, `${name}.png`) });
}
