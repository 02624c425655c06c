import { describe, expect, it } from 'vitest';
import { extractStatements } from '../../src/core/extraction/extract-statements.ts';

function factsOf(content: string, more: { role?: string; name?: string } = {}) {
  return extractStatements([{ role: 'user', content, ...more }]).statements.map(
    ({ said, text }) => said ?? text,
  );
}

describe('a word or two that say what the user is, eats or likes', () => {
  it.each([
    ['Vegetarian. No dairy.', 'User is vegetarian. No dairy.'],
    ['No pork.', 'No pork.'],
    ['Divorced.', 'User is divorced.'],
    ['Left-handed', 'User is left-handed'],
    ['Prefers tea.', 'User prefers tea.'],
  ])('are a fact: %s', (content, expected) => {
    const { statements } = extractStatements([{ role: 'user', content }]);

    expect(statements.map(({ text }) => text).join(' ')).toBe(expected);
  });

  it.each([
    'No problem.',
    'No idea.',
    'Blue.',
    'Vegan?',
    'Vegetarian recipes',
    'Loves it.',
    'Single.',
  ])('are none: %s', (content) => {
    expect(extractStatements([{ role: 'user', content }]).statements).toEqual([]);
  });

  it('are none as an answer that may be about something else', () => {
    const messages = [
      { role: 'assistant' as const, content: 'The soup is vegan or with beef: which one?' },
      { role: 'user' as const, content: 'Vegan.' },
    ];

    expect(extractStatements(messages).statements).toEqual([]);
  });
});

describe('facts without a model', () => {
  it('are the sentences that state something', async () => {
    expect(
      await factsOf('Hey, how are you? I just adopted a dog named Rex. He is two years old!'),
    ).toEqual(['I just adopted a dog named Rex. He is two years old!']);
  });

  it.each([
    'Thanks!',
    'ok',
    'Good morning',
    'Sounds good to me',
    'What time is it',
    'Can you help me with this?',
    'Please write a poem about spring',
    '???',
    '…',
    '',
  ])('leave out "%s"', async (content) => {
    expect(await factsOf(content)).toEqual([]);
  });

  it.each([
    "I'm vegan.",
    'I’m diabetic',
    'When I was ten I broke my arm.',
    'Will moved to Paris.',
    'What I love most is sailing.',
    'How I got here is a long story about trains.',
    'My sister lives in Bergen',
  ])('hold "%s"', async (content) => {
    expect(await factsOf(content)).toEqual([content]);
  });

  it.each([
    'when is the meeting',
    'where can I buy a tent',
    'is there a bakery nearby',
    "what's the capital of Peru",
    'how much does it cost',
    'Tell me about Rome.',
    'Summarize this article.',
  ])('leave out the request "%s"', async (content) => {
    expect(await factsOf(content)).toEqual([]);
  });

  it.each([
    'No peanuts in my food, ever.',
    'No meat for me, I am vegan.',
    'Great Britain is where I grew up.',
    'Well water makes me sick.',
    'So far I have visited nine countries.',
    'Right knee hurts daily.',
    "Let's Encrypt issues our certificates.",
    'Please use tabs, never spaces.',
    'Please never email me at work, I am deaf in one ear.',
  ])('never lose a word of "%s"', async (content) => {
    expect(await factsOf(content)).toEqual([content]);
  });

  it.each([
    'my email is ada@example.com and site https://x.example/z?q=1. ok',
    'See https://wiki.example/c?x=1 for my team wiki page.',
    'My wifi is "Foo?" and I like it.',
    'I watched "Who?" with my wife.',
    'I work at Yahoo! since 2019.',
    'Ich wurde am 3. Mai 1990 geboren.',
    'Meine Hochzeit ist am 12. August in Köln.',
    'Juan trabaja en la Av. Corrientes 348.',
    'Mi cita es con la Dra. Gómez.',
    'The boiler broke at 5 p.m. Monday.',
    'I met J. Smith in Leeds.',
  ])('are not cut inside "%s"', async (content) => {
    expect(await factsOf(content)).toEqual([content]);
  });

  it.each([
    ['Please remember that my locker code is 4711.', 'my locker code is 4711.'],
    ['Can you remember that I am vegan?', 'I am vegan.'],
    ['Could you note that my flight is on Friday at 9?', 'my flight is on Friday at 9.'],
    ["Don't forget: dentist on Monday", 'dentist on Monday'],
  ])('are what somebody asks to remember: "%s"', async (content, fact) => {
    expect(await factsOf(content)).toEqual([fact]);
  });

  it('come from notes, line by line', async () => {
    expect(
      await factsOf('- Ana likes green tea\n- Tom hates cold milk\n1. rent is due monthly'),
    ).toEqual(['Ana likes green tea', 'Tom hates cold milk', 'rent is due monthly']);
  });

  it('keep what follows a greeting', async () => {
    expect(await factsOf('Hello! Thanks, my flight to Oslo leaves at 9:30 on Friday')).toEqual([
      'My flight to Oslo leaves at 9:30 on Friday',
    ]);
  });

  it('do not break at an abbreviation', async () => {
    expect(await factsOf('My dentist is Dr. Weber in Bonn.')).toEqual([
      'My dentist is Dr. Weber in Bonn.',
    ]);
  });

  it('come from people, and from assistants only under a name', async () => {
    const content = 'Melanie painted the lake at sunrise.';

    expect(await factsOf(content, { role: 'assistant' })).toEqual([]);
    expect(await factsOf(content, { role: 'assistant', name: 'Caroline' })).toEqual([content]);
    expect(await factsOf(content, { role: 'assistant', name: 'AI' })).toEqual([]);
  });

  it.each([
    'system',
    'developer',
    'tool',
    'tool_call',
    'function',
    'data',
    'ipython',
    'observation',
  ])('do not come from the role %s, whatever its name', async (role) => {
    const content = 'I live in Paris and I like snails.';

    expect(await factsOf(content, { role })).toEqual([]);
    expect(await factsOf(content, { role, name: 'get_weather' })).toEqual([]);
    expect(await factsOf(content, { role, name: 'user' })).toEqual([]);
  });

  it('come from scripts without spaces too', async () => {
    expect(await factsOf('我住在里斯本。你好吗？')).toEqual(['我住在里斯本。']);
  });

  it('are sentence-sized, however the message is written', async () => {
    const facts = await factsOf('word '.repeat(6000));

    expect(facts.length).toBeGreaterThan(10);
    for (const fact of facts) expect(fact.length).toBeLessThanOrEqual(2000);
  });
});
