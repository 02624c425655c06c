import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Engine, owner, startEngine } from '../support/engine.ts';

let engine: Engine;
beforeAll(async () => {
  engine = await startEngine();
});
afterAll(() => engine.stop());

let users = 0;

/** The memories of a user whose note was added as it is, and who says something later. */
async function memoriesAfter(note: string, said: string) {
  const user_id = `user ${users++}`;
  await engine.invoke('add_memory', { text: note, user_id }, { caller: owner });
  const messages = [{ role: 'user', content: said }];
  await engine.invoke('add_memory', { messages, user_id, async_mode: false }, { caller: owner });
  const { results } = await engine.invoke('get_memories', { user_id }, { caller: owner });
  return results;
}

async function storedAfter(note: string, said: string): Promise<string[]> {
  return (await memoriesAfter(note, said)).map(({ memory }) => memory ?? '');
}

it.each([
  ['User keeps bees and lives in Leeds', 'I moved to York.'],
  ['Nutzer sammelt Münzen und wohnt in Köln', 'Ich wohne jetzt in Bonn.'],
  ["L'utilisatrice peint et habite à Nice", "J'ai déménagé à Brest."],
  ['El usuario toca el bajo y vive en Vigo', 'Ahora vivo en Cádiz.'],
  ["L'utente suona il liuto e vive a Pisa", 'Ora vivo a Lecce.'],
  ['O usuário cria abelhas e mora em Natal', 'Agora eu moro em Belém.'],
  ['Пользователь играет в шахматы и живёт в Туле', 'Я живу в Омске.'],
  ['ユーザーは金沢に住み、犬を飼っている', '仙台に引っ越しました'],
  ['用户住在苏州,养了两只猫', '我搬去杭州了'],
])('"%s" says two things: it stays as it is, and "%s" may replace it', async (note, said) => {
  const memories = await memoriesAfter(note, said);

  const old = memories.find(({ memory }) => memory === note);
  expect(memories).toHaveLength(2);
  expect(memories).toContainEqual(expect.objectContaining({ may_replace: [old?.id] }));
});

it.each([
  ['Nutzer sammelt Münzen und wohnt in Köln', 'Mein Bruder wohnt jetzt in Bonn.'],
  ["L'utilisatrice peint et habite à Nice", 'Ma sœur a déménagé à Brest.'],
  ['Пользователь женат и живёт в Туле', 'Мой друг развёлся.'],
])('what others did leaves "%s" as it is', async (note, said) => {
  expect(await storedAfter(note, said)).toContain(note);
});

it('a favourite of these days takes the place of the one before', async () => {
  const stored = await storedAfter(
    "User's favourite painter is Klee",
    'My favourite painter these days is Miró.',
  );

  expect(stored).toEqual(["User's favourite painter these days is Miró."]);
});
