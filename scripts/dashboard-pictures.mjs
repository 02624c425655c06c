// `npm run dashboard-pictures`: draws each view of the dashboard for the documents. With
// `--all FOLDER` it draws them there at both widths and in both themes, to be looked at.
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { corrections, facts, questions, waiting } from './dashboard-story.mjs';
import { cli, ready, root } from './ready.mjs';

const key = 'mk_0123456789abcdefghijABCDEFGHIJ0123456789abc';
const dayMs = 24 * 60 * 60 * 1000;

/** Each view, and what is done on it before it is drawn. */
const views = {
  home: async () => {},
  memories: async (/** @type {import('playwright-core').Page} */ page) => {
    await page.getByLabel('Words in the text').fill('with my sister');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: /Coimbra/ }).click();
  },
  'people/user%2Fada': async () => {},
  ask: async (/** @type {import('playwright-core').Page} */ page) => {
    await page.getByLabel('Question').fill('What should Ada not eat?');
    await page.getByLabel('User').fill('ada');
    await page.getByRole('button', { name: 'Ask' }).click();
    await page.getByRole('region', { name: 'Context' }).waitFor();
  },
  timeline: async () => {},
  'graph/ada': async () => {},
  replay: async (/** @type {import('playwright-core').Page} */ page) => {
    await page.getByRole('link', { name: /Where does Ada live/ }).click();
    await page.getByRole('region', { name: 'Now' }).waitFor();
  },
  activity: async () => {},
  review: async () => {},
  'settings/keys': async () => {},
  'settings/models': async () => {},
  'settings/extraction': async () => {},
};

const all = process.argv[2] === '--all' ? process.argv[3] : undefined;
const looks =
  all === undefined
    ? [{ width: 1280, theme: 'light' }]
    : [360, 1600].flatMap((width) => ['light', 'dark'].map((theme) => ({ width, theme })));

await ready();
const work = mkdtempSync(join(tmpdir(), 'mneme-pictures-'));
const data_dir = join(work, 'store');
const server = { process: /** @type {import('node:child_process').ChildProcess | null} */ (null) };
try {
  await tell(join(work, 'told'));
  bringBack(join(work, 'told'));
  const url = await serve(data_dir);
  await prepare(url);
  await draw(url);
} finally {
  server.process?.kill();
  rmSync(work, { recursive: true, force: true, maxRetries: 5 });
}

/** Tells a first store everything today. */
async function tell(/** @type {string} */ folder) {
  const { createMemory } = await import(join(root, 'dist/index.mjs'));
  const memory = createMemory({ data_dir: folder });
  for (const [text, user_id] of facts) {
    await memory.addMemory({ text, user_id, enable_graph: true });
  }
  await memory.close();
}

/** Gives what it learned the days on which it was learned, in the store that is shown. */
function bringBack(/** @type {string} */ folder) {
  const exported = mneme('export', '-', '--data-dir', folder);
  const today = new Date().toISOString().slice(0, 10);
  const lines = exported.split('\n').map((line) => {
    const told = facts.find(([text]) => line.includes(JSON.stringify(text)));
    const daysAgo = told === undefined ? 28 : Number(told[2]);
    const day = new Date(Date.now() - daysAgo * dayMs).toISOString().slice(0, 10);
    return line.replaceAll(`"${today}T`, `"${day}T`);
  });
  const file = join(work, 'told.jsonl');
  writeFileSync(file, lines.join('\n'));
  mneme('import', file, '--data-dir', data_dir);
}

function mneme(/** @type {string[]} */ ...args) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [cli, ...args], {
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`mneme ${args[0]}: ${stderr}`);
  return stdout;
}

/** Starts the server. @returns {Promise<string>} its address */
function serve(/** @type {string} */ folder) {
  const env = { ...process.env, MNEME_BOOTSTRAP_KEY: key, MNEME_PORT: '0' };
  const args = [cli, 'serve', '--data-dir', folder];
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'ignore', 'pipe'] });
  server.process = child;
  return new Promise((resolve, reject) => {
    let said = '';
    // Read to its end: a server whose stderr is closed ends.
    child.stderr.on('data', (part) => {
      said += part;
      const [, url] = /listening on (http:\S+)/.exec(said) ?? [];
      if (url !== undefined) resolve(url);
    });
    child.on('exit', () => reject(new Error(`the server ended: ${said}`)));
  });
}

/** Corrects, asks and adds what waits, as agents and people would. */
async function prepare(/** @type {string} */ base_url) {
  const { createClient } = await import(join(root, 'dist/client.mjs'));
  const client = createClient({ base_url, api_key: key });
  const { org_id, project_id } = await client.ping();
  const place = { org_id, project_id };
  await client.updateProject({ ...place, keep_recalls: 'text' });
  for (const [query, user_id] of questions) await client.searchMemories({ query, user_id });
  for (const [before, text] of corrections) {
    const { results } = await client.getMemories({ page_size: 100 });
    const memory_id = results.find((/** @type {any} */ one) => one.memory === before)?.id;
    await client.updateMemory({ memory_id, text });
  }
  await client.updateProject({ ...place, review: 'all' });
  for (const [text, user_id] of waiting) await client.addMemory({ text, user_id, infer: false });
  await client.updateProject({ ...place, review: 'off', name: 'Household' });
  await client.createKey({ name: 'claude desktop' });
  await client.createKey({ name: 'ci', read_only: true, expires_in_days: 90 });
}

async function draw(/** @type {string} */ url) {
  const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium';
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  const folder = all ?? join(root, 'docs/images');
  mkdirSync(folder, { recursive: true });
  for (const { width, theme } of looks) {
    const colorScheme = theme === 'dark' ? 'dark' : 'light';
    const viewport = { width, height: width === 360 ? 760 : 800 };
    const page = await (await browser.newContext({ viewport, colorScheme })).newPage();
    await page.goto(`${url}/dashboard`);
    await page.getByLabel('API key').fill(key);
    await page.getByRole('button', { name: 'Sign in' }).click();
    for (const [view, act] of Object.entries(views)) {
      await page.goto(`${url}/dashboard#${view}`);
      await page.waitForTimeout(700);
      await act(page);
      await page.waitForTimeout(400);
      const name = view.replace(/\/|%2F/g, '-').toLowerCase();
      const look = all === undefined ? '' : `-${width}-${theme}`;
      await page.screenshot({ path: join(folder, `dashboard-${name}${look}.png`) });
    }
  }
  await browser.close();
}
