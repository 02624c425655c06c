// A client of a server: node examples/client.mjs http://127.0.0.1:8787 API_KEY
import { ApiError, createClient } from 'mneme/client';

const [base_url, api_key] = process.argv.slice(2);
if (!base_url || !api_key) {
  console.error('usage: node examples/client.mjs BASE_URL API_KEY');
  process.exit(2);
}
const client = createClient({ base_url, api_key });

const { event_id } = await client.addMemory({
  user_id: 'grace',
  messages: [{ role: 'user', content: 'My sister Ilona plays the cello.' }],
});
const event = await client.waitForEvent(event_id, { timeout_ms: 10_000 });
console.log('event:', event.status, event.results.map((result) => result.memory).join(' | '));

const { results } = await client.searchMemories({ query: 'who plays the cello', user_id: 'grace' });
for (const hit of results) console.log('found:', hit.score?.toFixed(2), hit.memory);

// Page after page, newest first.
for await (const memory of client.getMemories({ user_id: 'grace' })) {
  console.log('listed:', memory.id, memory.memory);
}

try {
  await client.updateMemory({ memory_id: 'no-uuid', text: 'x' });
} catch (error) {
  if (!(error instanceof ApiError)) throw error;
  console.log('refused:', error.code, error.fields);
}
