// A memory in this process, without a server: node examples/embedded.mjs [folder]
import { createMemory } from 'mneme';

const [folder] = process.argv.slice(2);
// Without a folder it is the memory that your other clients of mneme share.
const memory = createMemory({ user_id: 'ada', ...(folder && { data_dir: folder }) });

try {
  // One fact is stored word for word, at once.
  const { results } = await memory.addMemory({ text: 'I am allergic to hazelnuts.' });
  console.log('stored:', results[0].event, results[0].memory);

  // A conversation is queued; its event tells what was stored.
  const { event_id } = await memory.addMemory({
    messages: [
      { role: 'user', content: 'I moved to Porto with my cat Biscuit.' },
      { role: 'assistant', content: 'Welcome to Porto!' },
    ],
  });
  const event = await memory.waitForEvent(event_id);
  console.log('event:', event.status, event.results.map((result) => result.memory).join(' | '));

  const found = await memory.searchMemories({ query: 'what is she allergic to', top_k: 1 });
  for (const hit of found.results) console.log('found:', hit.score.toFixed(2), hit.memory);

  // Page after page, newest first.
  for await (const one of memory.getMemories({ page_size: 50 })) console.log('listed:', one.memory);
} finally {
  await memory.close();
}
