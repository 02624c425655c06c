import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { owner, startEngine } from '../support/engine.ts';
import { eventually } from '../support/eventually.ts';

let engine: Awaited<ReturnType<typeof startEngine>>;
beforeAll(async () => {
  engine = await startEngine({ tables: true });
});
afterAll(() => engine.stop());

let users = 0;

type Said = string | { role: 'user' | 'assistant'; content: string };

/** What is stored, and all that a caller can read of the add. */
async function add(...said: Said[]) {
  users += 1;
  const user_id = `user${users}`;
  const messages = said.map((one) =>
    typeof one === 'string' ? { role: 'user' as const, content: one } : one,
  );
  const input = { messages, user_id, async_mode: false };
  const { event_id, results } = await engine.invoke('add_memory', input, { caller: owner });
  const stored = await engine.invoke('get_memories', { user_id }, { caller: owner });
  const event = await engine.invoke('get_event', { event_id: event_id ?? '' }, { caller: owner });
  const ids = stored.results.map(({ id }) => id);
  const memories = await Promise.all(
    ids.map((memory_id) => engine.invoke('get_memory', { memory_id }, { caller: owner })),
  );
  return {
    memories: stored.results.map(({ memory }) => memory).toSorted(),
    reasons: results.map(({ reason }) => reason ?? ''),
    readable: JSON.stringify([event, memories, results]),
  };
}

describe('what the user asks not to remember', () => {
  it.each([
    ["Don't remember this: I had a panic attack.", 'panic'],
    ["Don't write this down. I was in prison in 2011.", 'prison'],
    ['I was in prison in 2011. Please don’t store that.', 'prison'],
    ["I take antidepressants, but please don't save that.", 'antidep'],
    ["Off the record: I'm looking for a new job at Bosch.", 'Bosch'],
    ["Between you and me, don't save it, but I'm pregnant.", 'pregnant'],
    ['What I tell you now you must not save. My boss drinks.', 'drinks'],
    ["I'd like to tell you something, but don't write this down. I was adopted.", 'adopted'],
    ["I owe my brother 4000 euros. My wife left me. Don't keep any of this.", 'brother'],
    ['Forget the following: I hate my boss.', 'hate'],
    ['Merk dir das nicht: Ich hatte eine Panikattacke.', 'Panik'],
    ['Ich habe HIV. Bitte behalte das für dich und speichere es nicht.', 'HIV'],
    ["N'enregistre pas ça : j'ai fait une crise de panique.", 'panique'],
    ["J'ai fait de la prison. Ne retiens pas ça, s'il te plaît.", 'prison'],
    ['No guardes esto: tuve un ataque de pánico.', 'pánico'],
    ['Estuve en la cárcel en 2011. Por favor, no lo guardes.', 'cárcel'],
    ['Non salvare questo: ho avuto un attacco di panico.', 'panico'],
    ['Non annotare quello che sto per dirti. Ho tradito mia moglie.', 'tradito'],
    ['Estive preso em 2011. Por favor, não salve isso.', 'preso'],
    ['Isto fica entre nós: a minha mulher está grávida.', 'grávida'],
    ['Не запоминай это: у меня была паническая атака.', 'паническ'],
    ['У меня ВИЧ, но не сохраняй это.', 'ВИЧ'],
    ['これは覚えないでください。私は2011年に刑務所にいました。', '刑務所'],
    ['オフレコですが、妻は妊娠しています。', '妊娠'],
    ['不要记住这个：我有过惊恐发作。', '惊恐'],
    ['我2011年坐过牢。请不要保存这个。', '坐过牢'],
    ['Forget what I just told you, I stole a car once.', 'stole'],
    ['I stole a car once. Please forget that.', 'stole'],
    ['I stole a car once. Forget I mentioned it.', 'stole'],
    ["I stole a car once. Don't save that please, it's embarrassing.", 'stole'],
    ["I was adopted. Nobody knows, so don't keep that on file.", 'adopted'],
    ['I stole a car once. This is strictly confidential and must not be stored.', 'stole'],
    ['I stole a car once lol dont save that lol', 'stole'],
    ["Don't save anything of this: I stole a car. My son is in jail.", 'jail'],
    ['None of this should be remembered. I stole a car. My son is in jail.', 'jail'],
    ["I stole a car. My son is in jail. Don't save either of those.", 'stole'],
    ['Ich bin hoch verschuldet. Vergiss das wieder.', 'verschuldet'],
    ["J'ai des dettes. Oublie ça.", 'dettes'],
    ["J'ai des dettes, mais n'écris pas ça.", 'dettes'],
    ['Yo tengo muchas deudas. Borra eso, por favor.', 'deudas'],
    ['Ho molti debiti. Dimenticalo.', 'debiti'],
    ['Eu tenho muitas dívidas. Esquece isso.', 'dívidas'],
    ['У меня большие долги. Удали это, пожалуйста.', 'долги'],
    ['私は妊娠しています。覚えないでください。', '妊娠'],
    ['我欠了很多债。把这个删掉吧。', '欠了'],
  ])('is not stored, nor kept in the event: "%s"', async (said, secret) => {
    const { memories, reasons, readable } = await add(said);

    expect(memories).toEqual([]);
    expect(readable).not.toContain(secret);
    expect(reasons).toContain('what the user asked not to remember was left out and not stored');
  });

  it('leaves what is said beside it, whose source shows nothing of it', async () => {
    const said = 'I was in prison in 2011. Please don’t store that. My dog is called Rex.';
    const { memories, readable } = await add(said);

    expect(memories).toEqual(["User's dog is called Rex."]);
    expect(readable).not.toContain('prison');
  });

  it.each([
    ["Forget what I said, I'm actually 34.", 'User is actually 34.'],
    ["Don't store that I'm a teacher, I'm a principal now.", 'User is a principal now.'],
    ['I live in Bath. Forget what I just said, I live in Ghent.', 'User lives in Ghent.'],
    ["Oublie ce que j'ai dit, j'ai 34 ans.", "j'ai 34 ans."],
    ['Забудь, что я сказал, мне 34 года.', 'мне 34 года.'],
  ])('leaves what is so instead: "%s"', async (said, memory) => {
    const { memories } = await add(said);

    expect(memories).toEqual([memory]);
  });

  it('may have been said in the message before', async () => {
    const reply = { role: 'assistant' as const, content: "I'm glad you told me." };
    const { memories } = await add('I was in rehab in May.', reply, "Please don't save that.");

    expect(memories).toEqual([]);
  });

  it('is what comes after and before, where nothing tells which', async () => {
    const { memories } = await add(
      "I lost my job. Don't store this. I also sold my house in Ghent.",
    );

    expect(memories).toEqual([]);
  });

  it('leaves the event of a queued add when that is done', async () => {
    const content = "I live in Ghent. Don't remember this: I had a panic attack.";
    const input = { messages: [{ role: 'user' as const, content }], user_id: 'queued' };
    const queued = { ...input, async_mode: true };
    const { event_id = '' } = await engine.invoke('add_memory', queued, { caller: owner });

    await eventually(async () => {
      const event = await engine.invoke('get_event', { event_id }, { caller: owner });
      expect(event.status).toBe('SUCCEEDED');
      expect(JSON.stringify(event)).toContain('Ghent');
      expect(JSON.stringify(event)).not.toContain('panic');
    });
  });

  it('is not the complaint that something was stored', async () => {
    const { memories } = await add('You should never have stored my diagnosis. Remove it.');

    expect(memories).toEqual([]);
  });
});

it.each([
  "I don't remember my childhood in Bremen",
  "Don't forget this: my locker is 482",
  'Remember this: my locker is 517.',
  'I never write down my passwords',
  "I don't write it down when my aunt in Ghent calls.",
  'My doctor told me not to save money on shoes',
  "Please don't use emojis.",
  'Never save files to the desktop',
  "Don't write unit tests for this module.",
  "Don't keep the code in one file.",
  "Don't record the meeting.",
  'Never store anything about my health.',
  'Vergiss das nicht: Mein Schließfach ist 482.',
  'Speichere Dateien nie auf dem Desktop.',
  'Ne garde pas tout le code dans un seul fichier.',
  'No olvides esto: mi taquilla es la 482.',
  'Non salvare mai i file sul desktop.',
  'Não guarde ficheiros no ambiente de trabalho.',
  'Никогда не сохраняй файлы на рабочий стол.',
  '会議を録音しないでください。',
  '以后不要把文件保存到桌面。',
  "Please don't store my photos in iCloud, I use Google Photos.",
  "Don't save my changes before asking me.",
  "You don't need to save my receipts, I have an accountant.",
  "Don't keep my variables global.",
  "N'enregistre pas mes fichiers sur le bureau.",
  'No guardes mis archivos en el escritorio.',
  'Non salvare i miei file sul desktop.',
  'Não salve meus arquivos na área de trabalho.',
  'Не сохраняй мои файлы на рабочий стол.',
  '不要把我的文件保存到桌面。',
  'My locker is 482, so never forget that.',
])('is stored, because it asks for nothing of the kind: "%s"', async (said) => {
  const { memories, reasons } = await add(said);

  expect(memories).toHaveLength(1);
  expect(reasons.join()).not.toContain('not to remember');
});
