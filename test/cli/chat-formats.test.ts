import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { strToU8, zipSync } from 'fflate';
import { afterAll, describe, expect, it } from 'vitest';
import { readConversations } from '../../src/cli/chat/read-conversations.ts';

const folder = mkdtempSync(join(tmpdir(), 'mneme-chats-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let files = 0;

async function read(content: unknown, name = 'chats.json') {
  const file = join(folder, `${++files}-${name}`);
  const isRaw = typeof content === 'string' || content instanceof Uint8Array;
  writeFileSync(file, isRaw ? content : JSON.stringify(content));
  return readConversations(file);
}

async function turnsOf(content: unknown) {
  const { chats } = await read(content);
  return chats.flatMap(({ turns }) => turns.map(({ role, content: said }) => `${role}: ${said}`));
}

/** A node of ChatGPT's tree. */
function node(parent: string | null, message: object | null = null) {
  return { parent, children: [], message };
}

function message(role: string, text: string, more: object = {}) {
  const content = { content_type: 'text', parts: [text] };
  return { author: { role }, create_time: 1_700_000_000.5, content, ...more };
}

const gptChat = {
  conversation_id: 'gpt-1',
  title: 'Trip',
  create_time: 1_700_000_000,
  current_node: 'd',
  mapping: {
    root: node(null),
    a: node('root', message('system', 'Be brief')),
    b: node('a', message('user', 'I live in Lisbon')),
    c: node('b', message('assistant', 'The answer that was replaced')),
    d: node('b', message('assistant', 'Lovely\ue200cite\ue202turn0search1\ue201 city')),
  },
};

const claudeChat = {
  uuid: 'claude-1',
  name: 'Dinner',
  chat_messages: [
    { sender: 'human', text: 'old', content: [{ type: 'text', text: 'I am vegan' }] },
    {
      sender: 'assistant',
      text: 'with the output of tools',
      content: [{ type: 'tool_use' }, { type: 'text', text: 'Noted' }],
      created_at: '2024-05-01T10:00:00.123456Z',
    },
  ],
};

describe('conversations of ChatGPT', () => {
  it('are the branch that was left open, without what nobody saw', async () => {
    const { chats, strays } = await read([gptChat]);

    expect(strays).toBe(0);
    expect(chats).toEqual([
      {
        id: 'gpt-1',
        title: 'Trip',
        source: 'chatgpt',
        turns: [
          { role: 'user', content: 'I live in Lisbon', at: 1_700_000_000 },
          { role: 'assistant', content: 'Lovely city', at: 1_700_000_000 },
        ],
      },
    ]);
  });

  it('leave out hidden messages, calls of tools, code and pictures', async () => {
    const hidden = { metadata: { is_visually_hidden_from_conversation: true } };
    const picture = { content_type: 'image_asset_pointer', asset_pointer: 'file://1' };
    const heard = { content_type: 'audio_transcription', text: 'and I swim' };
    const mapping = {
      a: node(null, message('user', 'hidden', hidden)),
      b: node('a', message('assistant', 'search("x")', { recipient: 'browser' })),
      c: node('b', message('tool', 'result')),
      d: node('c', message('assistant', '', { content: { content_type: 'code', text: 'x = 1' } })),
      e: node(
        'd',
        message('user', '', {
          content: { content_type: 'multimodal_text', parts: ['I run', picture, heard] },
        }),
      ),
    };

    expect(await turnsOf([{ ...gptChat, mapping, current_node: 'e' }])).toEqual([
      'user: I run\n\nand I swim',
    ]);
  });

  it('end where a broken tree leads round in a circle', async () => {
    const mapping = { a: node('b', message('user', 'one')), b: node('a', message('user', 'two')) };

    expect(await turnsOf([{ ...gptChat, mapping, current_node: 'b' }])).toEqual([
      'user: one',
      'user: two',
    ]);
  });
});

describe('conversations of Claude', () => {
  it('are what people and the model wrote, with their times', async () => {
    const { chats } = await read([claudeChat]);

    expect(chats).toEqual([
      {
        id: 'claude-1',
        title: 'Dinner',
        source: 'claude',
        turns: [
          { role: 'user', content: 'I am vegan', at: null },
          { role: 'assistant', content: 'Noted', at: 1_714_557_600 },
        ],
      },
    ]);
  });
});

describe('lists of turns', () => {
  const turn = { role: 'user', content: 'I play chess', name: 'Ann', timestamp: 1_700_000_000_000 };

  it('are read from JSON and from JSON Lines, one conversation or several', async () => {
    const chat = { messages: [turn], id: 7, title: 'Games' };

    for (const content of [
      [turn],
      { messages: [turn] },
      `${JSON.stringify(turn)}\n${JSON.stringify({ role: 'system', content: 'x' })}\n`,
      [chat],
      `${JSON.stringify(chat)}\n${JSON.stringify({ ...chat, id: 8, messages: [] })}`,
      { conversations: [chat] },
    ]) {
      const { chats } = await read(content);
      expect(chats.map(({ turns }) => turns)).toEqual([
        [{ role: 'user', content: 'I play chess', name: 'Ann', at: 1_700_000_000 }],
      ]);
    }
  });

  it('keep their id when they grow', async () => {
    const [before, after] = await Promise.all([
      read([turn]),
      read([turn, { role: 'assistant', content: 'Nice' }]),
    ]);

    expect(after.chats[0]?.id).toBe(before.chats[0]?.id);
    expect(after.chats[0]?.turns).toHaveLength(2);
  });

  it('join the parts of a turn, and leave out pictures', async () => {
    const content = [{ type: 'text', text: 'See' }, { type: 'image' }, 'this'];

    expect(await turnsOf([{ role: 'human', content }])).toEqual(['user: See\nthis']);
  });
});

describe('Markdown', () => {
  it.each([
    ['headings', '# Trip\n\n## User\n\nI moved to Rome.\n\n## Assistant\n\nNice!\n'],
    ['bold names', '**User:** I moved to Rome.\n\n**Assistant**: Nice!'],
    ['names before a colon', 'User: I moved to Rome.\nChatGPT: Nice!'],
    ['what a page says', 'You said:\nI moved to Rome.\nChatGPT said:\nNice!\n'],
  ])('tells speakers by %s', async (_, text) => {
    expect(await turnsOf(text)).toEqual(['user: I moved to Rome.', 'assistant: Nice!']);
  });

  it('knows people by their names, when the text begins with one', async () => {
    const { chats } = await read('Ann: I bake bread.\nBob: I paint.\nAnn: Rye, mostly.\n');

    expect(chats[0]?.turns).toEqual([
      { role: 'user', content: 'I bake bread.', name: 'Ann', at: null },
      { role: 'user', content: 'I paint.', name: 'Bob', at: null },
      { role: 'user', content: 'Rye, mostly.', name: 'Ann', at: null },
    ]);
  });

  it('reads times behind names, in UTC, and keeps them until the next', async () => {
    const text = '## User (2024-05-01 10:00)\nHi, I sail.\n## Assistant\nGreat.\n';
    const { chats } = await read(text);

    expect(chats[0]?.turns.map(({ at }) => at)).toEqual([1_714_557_600, 1_714_557_600]);
  });

  it('begins a conversation at each title, but not in code', async () => {
    const text = [
      '# One',
      '## User',
      'A list:',
      '```sh',
      '# a comment',
      'User: no turn',
      '```',
      '# Two',
      '## User',
      'Second',
    ].join('\n');
    const { chats } = await read(text, 'notes.md');

    expect(chats.map(({ title, turns }) => [title, turns.length])).toEqual([
      ['One', 1],
      ['Two', 1],
    ]);
  });

  it('is no conversation where nobody speaks', async () => {
    await expect(read('# Notes\n\nBuy milk.\nTodo: call Ann.\n')).rejects.toThrow('conversation');
  });
});

describe('an archive', () => {
  it('is read as the service sent it, however many files it has', async () => {
    const json = (value: unknown) => strToU8(JSON.stringify(value));
    const zip = zipSync({
      'export/conversations-001.json': json([claudeChat]),
      'export/conversations-000.json': json([gptChat]),
      'export/user.json': json({ email: 'x' }),
    });
    const { chats } = await read(zip, 'export.zip');

    expect(chats.map(({ id }) => id)).toEqual(['gpt-1', 'claude-1']);
  });

  it('is refused when it is broken or holds nothing of the kind', async () => {
    const zip = zipSync({ 'photo.txt': strToU8('x') });

    await expect(read(zip, 'export.zip')).rejects.toThrow('conversations.json');
    await expect(read(zip.subarray(0, 40), 'cut.zip')).rejects.toThrow('archive');
  });
});

describe('what belongs to conversations', () => {
  const json = (value: unknown) => strToU8(JSON.stringify(value));
  const memories = [{ conversations_memory: '**Work**\n\nAda is a nurse in Porto.\n' }];

  it('is read in the branch with the newest message where none is named as open', async () => {
    const at = (create_time: number) => ({ create_time });
    const mapping = {
      root: node(null),
      a: node('root', message('user', 'I live in Lisbon', at(1))),
      new: node('a', message('assistant', 'The newest', at(9))),
      old: node('a', message('assistant', 'An older one', at(5))),
    };
    for (const current_node of ['gone', null])
      expect(await turnsOf([{ ...gptChat, current_node, mapping }])).toEqual([
        'user: I live in Lisbon',
        'assistant: The newest',
      ]);
  });

  it('is what people attached as text, and what is left out is counted', async () => {
    const attachments = [{ file_name: 'a.txt', extracted_content: 'I sail.' }, { file_name: 'b' }];
    const chat_messages = [
      { sender: 'human', text: 'See', attachments, files: [{ file_name: 'c.png' }] },
    ];
    const { chats, left_out } = await read([{ ...claudeChat, chat_messages }]);

    expect(chats[0]?.turns[0]?.content).toBe('See\n\nI sail.');
    expect(left_out).toEqual({ image: 1, document: 1 });
  });

  it('is what the assistant remembered, and prompts of Gemini', async () => {
    expect(await turnsOf(memories)).toEqual(['user: Ada is a nurse in Porto.']);
    const activity = { header: 'Gemini Apps', time: '2024-05-01T10:00:00Z' };
    expect(await turnsOf([{ ...activity, title: 'Prompted I sail' }])).toEqual(['user: I sail']);
  });

  it('is found in a folder and in an archive within an archive, pictures counted once', async () => {
    const part = (content_type: string) => ({ content_type });
    const parts = ['I live in Lisbon', part('image_asset_pointer'), part('audio_asset_pointer')];
    const content = { content_type: 'multimodal_text', parts };
    const chat = { ...gptChat, current_node: 'a' };
    const seen = { ...chat, mapping: { a: node(null, message('user', '', { content })) } };
    const files = {
      'conversations.json': json([seen]),
      'memories.json': json(memories),
      'a.png': strToU8('x'),
      'user.json': json({}),
    };
    const zip = zipSync({ 'inner.zip': zipSync(files) });
    const unpacked = join(folder, 'unpacked', 'export');
    mkdirSync(unpacked, { recursive: true });
    for (const [name, bytes] of Object.entries(files)) writeFileSync(join(unpacked, name), bytes);

    for (const found of [
      await read(zip, 'outer.zip'),
      await readConversations(dirname(unpacked)),
    ]) {
      expect(found.chats.map(({ source }) => source)).toEqual(['chatgpt', 'claude']);
      expect(found.left_out).toEqual({ image: 1, voice: 1 });
    }
  });

  it('is not looked for in archives that go too deep', async () => {
    let zip = zipSync({ 'conversations.json': json([gptChat]) });
    for (let depth = 0; depth < 4; depth += 1) zip = zipSync({ 'inner.zip': zip });

    await expect(read(zip, 'deep.zip')).rejects.toThrow('holds no conversations.json');
  });

  it('is each file of a folder that has one for each conversation', async () => {
    const chats = join(folder, 'each');
    mkdirSync(chats);
    writeFileSync(join(chats, '1.json'), JSON.stringify(gptChat));
    writeFileSync(join(chats, '2.json'), JSON.stringify(claudeChat));
    writeFileSync(join(chats, 'settings.json'), '{}');

    const found = await readConversations(chats);
    expect(found.chats.map(({ id }) => id).sort()).toEqual(['claude-1', 'gpt-1']);
    expect(found.left_out).toEqual({ other: 1 });
  });
});

describe('the signs of a file', () => {
  const text = '## User\n\nI collect coins from Åland.\n';

  it.each([
    ['UTF-16', Buffer.from(`\ufeff${text}`, 'utf16le')],
    ['UTF-16, the other way round', Buffer.from(`\ufeff${text}`, 'utf16le').swap16()],
    ['UTF-8 with a mark', Buffer.from(`\ufeff${text}`)],
  ])('are read in %s', async (_, bytes) => {
    expect(await turnsOf(bytes)).toEqual(['user: I collect coins from Åland.']);
  });

  it('are never guessed', async () => {
    await expect(read(Buffer.from(text, 'latin1'))).rejects.toThrow(/json: line 3 is not UTF-8/);
  });
});

describe('a file of conversations', () => {
  it('is put in order of time, and entries that are none are counted', async () => {
    const at = (timestamp: number) => ({ messages: [{ role: 'user', content: 'x', timestamp }] });
    const { chats, strays } = await read([at(1_800_000_000), { foo: 1 }, at(1_700_000_000), 5]);

    expect(chats.map(({ turns }) => turns[0]?.at)).toEqual([1_700_000_000, 1_800_000_000]);
    expect(strays).toBe(2);
  });

  it.each([
    ['[{"role": "user", "content": "cut', 'is not complete JSON; it may be cut off'],
    ['{"role":"user","content":"a"}\n{"role":"us', 'line 2 is not JSON'],
    ['[]', 'holds no conversation'],
    ['', 'holds no conversation'],
    ['{"__proto__": {"messages": []}}', 'holds no conversation'],
    ['[{"type":"entity","name":"Otis"}]', 'looks like a server-memory file'],
    ['{"mneme":"export","version":1}', 'looks like an export of mneme'],
  ])('%s is refused', async (text, why) => {
    await expect(read(text)).rejects.toThrow(why);
  });
});
