import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Served, serveUntilEnd } from '../cli/serve-support.ts';
import { runIn, temporaryFolder } from '../cli/support.ts';
import { isMissing, launchBrowser, violationsOf } from './browser.ts';

if (isMissing) it.skip('needs Chromium (CHROMIUM=path): links are not tried in a browser');

describe.skipIf(isMissing)('the link of mneme ui, in a browser', () => {
  const home = temporaryFolder();
  const run = runIn(home);
  let browser: Browser;
  let server: Served;

  beforeAll(async () => {
    await run(['add', 'Ada keeps bees.']);
    server = await serveUntilEnd(home, {});
    browser = await launchBrowser();
  });

  afterEach(async () => {
    for (const context of browser.contexts()) await context.close();
  });

  afterAll(async () => {
    await browser.close();
    await server.end('SIGKILL');
  });

  async function newLink(): Promise<string> {
    return (await run(['ui', '--print', '--port', new URL(server.url).port])).stdout.trim();
  }

  /** A page, and the addresses that it requested. */
  async function newPage() {
    const context = await browser.newContext();
    const page = await context.newPage();
    page.setDefaultTimeout(10_000);
    const requested: string[] = [];
    page.on('request', (request) => {
      requested.push(`${request.url()} ${JSON.stringify(request.headers())}`);
    });
    return { page, context, requested };
  }

  const views = (page: Page) => page.getByRole('navigation', { name: 'Views' });

  it('signs in, and leaves no trace of itself in the address, the history or a header', async () => {
    const { page, context, requested } = await newPage();
    const link = await newLink();

    await page.goto(link);
    await views(page).waitFor();
    await page.getByRole('link', { name: 'Memories', exact: true }).click();
    await page.getByText('Ada keeps bees.').waitFor();
    await page.goBack();
    const [cookie] = await context.cookies();

    expect(page.url()).toBe(`${server.url}/dashboard`);
    expect(requested.filter((request) => request.includes(link.split('#')[1] ?? ''))).toEqual([]);
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Strict' });
  });

  it('keeps its session when the page is loaded again', async () => {
    const { page } = await newPage();
    await page.goto(await newLink());
    await views(page).waitFor();

    await page.reload();

    await views(page).waitFor();
  });

  it('says what to do when it was used', async () => {
    const link = await newLink();
    const first = await newPage();
    await first.page.goto(link);
    await views(first.page).waitFor();
    const { page } = await newPage();

    await page.goto(link);

    await page.getByText('Run mneme ui again').waitFor();
    await page.getByLabel('API key').waitFor();
    expect(await violationsOf(page)).toEqual([]);
  });

  it('does not end the session of a browser that it opens again', async () => {
    const link = await newLink();
    const { page } = await newPage();
    await page.goto(link);
    await views(page).waitFor();

    await page.goto('about:blank');
    await page.goto(link);

    await views(page).waitFor();
  });

  it('signs in where the dashboard is open already', async () => {
    const { page } = await newPage();
    await page.goto(`${server.url}/dashboard`);
    await page.getByLabel('API key').waitFor();

    await page.goto(await newLink());

    await views(page).waitFor();
  });
});
