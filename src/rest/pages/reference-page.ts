import { html } from 'hono/html';
import type { Operation } from '../../contract/operation.ts';
import { contract, isOperationName, type OperationName } from '../../contract.ts';
import { codeExample, type Html, operationSection } from './operation-section.ts';

/** The groups in the order of their use, and what they are about. */
const groups: Readonly<Record<string, string>> = {
  memories: 'Memories',
  entities: 'Entities: users, agents, apps and runs',
  profiles: 'Profiles',
  events: 'Events: what became of a write',
  exports: 'Structured exports',
  webhooks: 'Webhooks',
  projects: 'Projects',
  organizations: 'Organizations',
  account: 'Account and keys',
  audit: 'Audit log',
  store: 'The whole store, for its owner',
};

/** The API for people: how to begin, and every operation with an example. */
export async function referencePage(version: string): Promise<string> {
  const all = Object.entries<Operation>(contract).flatMap(([name, record]) =>
    isOperationName(name) ? [{ name, record, group: record.scope.split(':')[0] ?? '' }] : [],
  );
  const grouped = Object.entries(groups).map(([group, title]) => ({
    group,
    title,
    operations: all.filter((operation) => operation.group === group),
  }));
  return String(
    await html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>mneme API</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/docs/docs.css">
<script type="module" src="/docs/docs.js"></script>
</head>
<body>
<a class="skip" href="#content">To the content</a>
<header>
<h1><a class="brand" href="/dashboard">mneme</a> API <span class="quiet">${version}</span></h1>
<nav aria-label="Pages"><a href="/dashboard">Dashboard</a> <a href="/openapi.json">OpenAPI</a>
<button type="button" id="theme">Theme: system</button></nav>
</header>
<nav class="contents" aria-label="Contents">
<label class="hidden" for="find">Find an operation</label>
<input id="find" class="find" type="search" placeholder="Find an operation" autocomplete="off">
<ul><li><a href="#start">Quick start</a></li><li><a href="#key">Your key</a></li>
<li><a href="#rules">What holds everywhere</a></li></ul>
${grouped.map(contents)}
</nav>
<main id="content">
${quickStart()}
${keyBox()}
${rules()}
${grouped.map(groupSection)}
<p id="none" class="quiet" role="status" hidden>No operation has these words.</p>
</main>
</body>
</html>
`,
  );
}

type Group = {
  group: string;
  title: string;
  operations: { name: OperationName; record: Operation }[];
};

function groupSection({ group, title, operations }: Group): Html {
  return html`<section aria-labelledby="group-${group}">
<h2 id="group-${group}">${title}</h2>
${operations.map(operationSection)}
</section>`;
}

function contents({ title, operations }: Group): Html {
  return html`<details><summary>${title.split(/[:,]/)[0]}</summary>
<ul>${operations.map(
    ({ name, record }) => html`<li><a href="#${name}">${record.summary}</a></li>`,
  )}</ul></details>`;
}

/** From nothing to a remembered fact. */
function quickStart(): Html {
  const text = 'I moved to Porto.';
  return html`<section aria-labelledby="start">
<h2 id="start">Quick start</h2>
<ol class="steps">
<li><p>Make a key where the server runs, and keep it in your environment:</p>
<pre tabindex="0"><code>export MNEME_API_KEY="$(mneme keys create)"</code></pre></li>
<li><p>Remember something about a user:</p>
${codeExample('add_memory', contract.add_memory, { text, user_id: 'ada' })}</li>
<li><p>Ask for it, in other words:</p>
${codeExample('search_memories', contract.search_memories)}</li>
<li><p>Or get what an agent should know as one text that fits its budget:</p>
${codeExample('get_context', contract.get_context)}</li>
</ol>
</section>`;
}

function keyBox(): Html {
  return html`<section aria-labelledby="key">
<h2 id="key">Your key</h2>
<form id="key-form">
<label for="api-key">API key or access token</label>
<div class="row"><input id="api-key" type="password" autocomplete="off" spellcheck="false"
placeholder="mk_…"><button type="submit">Use it</button></div>
<p id="key-state" role="status">Without a key, you can read this page; requests are refused.</p>
<p class="quiet">Paste the key alone: the page adds <code>Token</code>, or <code>Bearer</code> to an
access token. It is kept until you close or reload the page, and sent to this server only.</p>
</form>
</section>`;
}

function rules(): Html {
  return html`<section class="rules" aria-labelledby="rules">
<h2 id="rules">What holds everywhere</h2>
<ul>
<li>Send the key as <code>Authorization: Token KEY</code>, <code>Authorization: Bearer KEY</code> or
<code>X-API-Key: KEY</code>.</li>
<li>Paths work with and without the slash at their end.</li>
<li>Errors say what is wrong in <code>message</code>, and which fields in <code>errors</code>. A
<code>429</code> and a <code>503</code> say in <code>Retry-After</code> when to try again.</li>
<li>Writes with an <code>Idempotency-Key</code> can be repeated safely for a day.</li>
<li>Every response has an <code>X-Request-ID</code>; quote it when you report a problem.</li>
</ul>
</section>`;
}
