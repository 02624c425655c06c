// An agent of the AI SDK that has the tools of mneme, over MCP:
// KEY=mk_... node vercel-ai-sdk.mjs "Remember that I am allergic to hazelnuts."
import { createMCPClient } from '@ai-sdk/mcp';
import { generateText, stepCountIs } from 'ai';

const { KEY, URL: base = 'http://127.0.0.1:8787', MODEL = 'openai/gpt-5-mini' } = process.env;
const [prompt = 'What do you know about me?'] = process.argv.slice(2);

const mneme = await createMCPClient({
  transport: {
    type: 'http',
    // Whose memories the tools see, and that no call may name another user.
    url: `${base}/mcp?user_id=ada&lock_scope=true&toolsets=core`,
    headers: { Authorization: `Bearer ${KEY}` },
  },
});
try {
  const { text, steps } = await generateText({
    model: MODEL,
    system: 'You have a long-term memory. Search it before you answer; add what is worth keeping.',
    prompt,
    tools: await mneme.tools(),
    stopWhen: stepCountIs(5),
  });
  for (const { toolName, input } of steps.flatMap((step) => step.toolCalls)) {
    console.log('tool:', toolName, JSON.stringify(input));
  }
  console.log('answer:', text);
} finally {
  await mneme.close();
}
