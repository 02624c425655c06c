// A chat of the AI SDK that recalls and remembers by itself, with mem0's package for it:
// KEY=mk_... node vercel-ai-sdk-mem0.mjs "I am allergic to hazelnuts. What can I bake?"
import { addMemories, retrieveMemories } from '@mem0/vercel-ai-provider';
import { generateText } from 'ai';

const { KEY, URL: host = 'http://127.0.0.1:8787', MODEL = 'openai/gpt-5-mini' } = process.env;
const [prompt = 'What do you know about me?'] = process.argv.slice(2);
const memory = { user_id: 'ada', mem0ApiKey: KEY, host };

// Memories that fit the prompt, as a text for the model; empty when there are none.
const system = await retrieveMemories(prompt, memory);
const { text } = await generateText({ model: MODEL, system, prompt });
console.log('answer:', text);

// Facts are picked from it in the background and found a moment later.
await addMemories(prompt, memory);
