import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Engine, owner, startEngine } from '../../support/engine.ts';

let engine: Engine;
let users = 0;

beforeAll(async () => {
  engine = await startEngine();
});
afterAll(() => engine.stop());

async function afterSaying(said: string, stored: readonly string[]) {
  users += 1;
  const user_id = `user-${users}`;
  for (const text of stored)
    await engine.invoke('add_memory', { text, user_id }, { caller: owner });
  const messages = [{ role: 'user', content: said }];
  const input = { messages, user_id, async_mode: false };
  const { results } = await engine.invoke('add_memory', input, { caller: owner });
  const found = await engine.invoke('get_memories', { user_id }, { caller: owner });
  const reasons = results.map(({ reason = '' }) => reason).join('; ');
  return { reasons, left: found.results.map(({ memory }) => memory).sort() };
}

it.each([
  ['Forget everything about the cello', 'User plays the cello', "User's cello is from 1890"],
  ['Forget everything about Anna', "User's sister Anna lives in Kiel", 'Anna plays chess'],
  ['Vergiss alles über Tom', 'Mein Bruder heißt Tom', 'Tom spielt Golf'],
  ['Oublie tout sur le violoncelle', 'Je joue du violoncelle', 'Mon violoncelle date de 1890'],
  ['Olvida todo sobre el violonchelo', 'Toco el violonchelo', 'Mi violonchelo es de 1890'],
  ['Dimentica tutto sul violoncello', 'Suono il violoncello', 'Il mio violoncello è del 1890'],
  ['Esquece tudo sobre o violoncelo', 'Toco violoncelo', 'O meu violoncelo é de 1890'],
  ['Забудь всё про виолончель', 'Я играю на виолончели', 'Моя виолончель 1890 года'],
  ['チェロについては全部忘れてください', 'チェロを弾いています', '私のチェロは1890年製です'],
  ['请忘掉关于大提琴的一切', '我会拉大提琴', '我的大提琴是1890年的'],
])('"%s" forgets "%s" and "%s"', async (said, one, other) => {
  const { left } = await afterSaying(said, [one, other]);

  expect(left).toEqual([]);
});

it.each([
  ['Delete all you know about Anna', "User's sister Anna is 30", "User's colleague Anna is a vet"],
  ['Vergiss alles über Tom', 'Mein Bruder heißt Tom', 'Mein Onkel heißt Tom'],
  ['Oublie tout sur Tom', "Mon frère s'appelle Tom", "Mon oncle s'appelle Tom"],
  ['Olvida todo sobre Ana', 'Mi hermana Ana tiene 30 años', 'Mi compañera Ana es veterinaria'],
  ['Dimentica tutto su Tom', 'Mio fratello si chiama Tom', 'Mio zio si chiama Tom'],
  ['Esquece tudo sobre a Ana', 'A minha irmã Ana tem 30 anos', 'A minha colega Ana é veterinária'],
  ['Забудь всё про Олега', 'Моего брата зовут Олег', 'Моего дядю зовут Олег'],
  ['健太については全部忘れて', '弟の名前は健太', '叔父の名前は健太'],
  ['忘掉关于建国的一切', '我弟弟叫建国', '我叔叔叫建国'],
  ['Forget Olga.', 'Olga is 80.', "User's cat is called Olga"],
  ['オルガのことは忘れて。', 'オルガは80歳', '猫の名前はオルガ'],
])('"%s" forgets neither "%s" nor "%s", and names both', async (said, one, other) => {
  const { reasons, left } = await afterSaying(said, [one, other]);

  expect(left).toEqual([one, other].sort());
  expect(reasons).toContain(one);
  expect(reasons).toContain(other);
});

it.each([
  ['Forget everything about my cello', "User's daughter plays the cello"],
  ['Forget everything about my dog', 'User is afraid of dogs'],
  ['Forget my weight', "User's weight goal is 78 kg"],
  ['忘掉我是素食者', '我女儿是素食者'],
  ['I want to forget my ex.', 'User has an ex called Tom'],
  ['Ich will meinen Ex vergessen', 'Mein Ex heißt Tom'],
  ['Je veux oublier mon ex', "Mon ex s'appelle Tom"],
  ['Quiero olvidar a mi ex', 'Mi ex se llama Tom'],
  ['Voglio dimenticare il mio ex', 'Il mio ex si chiama Tom'],
  ['Quero esquecer o meu ex', 'O meu ex chama-se Tom'],
  ['Хочу забыть своего бывшего', 'Мой бывший живёт в Омске'],
  ['元彼を忘れたい', '元彼は大阪に住んでいる'],
  ['我想忘掉我前男友', '我前男友住在成都'],
  ['Never delete what you know about Anna', 'User loves Anna'],
  ['Stop forgetting that I love Anna', 'User loves Anna'],
  ['Forget Anna? Never!', 'User loves Anna'],
  ['If I ask, delete what you know about Anna', 'User loves Anna'],
  ['Forget everything except Anna', 'User loves Anna'],
  ['Vergiss alles außer Anna', 'Ich liebe Anna'],
  ["Tu oublies toujours que j'aime Anna", "J'aime Anna"],
  ['Olvida todo menos Anna', 'Amo a Anna'],
  ['Dimentica tutto tranne Anna', 'Amo Anna'],
  ['Esquece tudo exceto a Anna', 'Amo a Anna'],
  ['Забудь всё, кроме Анны', 'Я люблю Анну'],
  ['アンナ以外は全部忘れて', 'アンナが好きです'],
  ['除了安娜以外都忘掉', '我喜欢安娜'],
  ['No recuerdo mi infancia en Lugo.', 'Pasé mi infancia en Lugo'],
  ['Non ricordo la mia infanzia a Bari.', 'Ho passato la mia infanzia a Bari'],
  ['Não guardo o meu dinheiro em casa.', 'O meu dinheiro está em casa'],
  ['Не хранила мои деньги дома.', 'Мои деньги дома'],
])('"%s" does not forget "%s"', async (said, memory) => {
  const { left } = await afterSaying(said, [memory]);

  expect(left).toContain(memory);
});

it.each([
  ['I want you to forget my address', "User's address is 12 Elm Street"],
  ['Ich möchte, dass du meine Adresse vergisst', 'Meine Adresse ist Goethestraße 5'],
  ['Je veux que tu oublies mon adresse', 'Mon adresse est 5 rue Hugo'],
  ['Quiero que olvides mi dirección', 'Mi dirección es calle Sol 5'],
  ['我想让你忘掉我的地址', '我的地址是阳光路5号'],
  ["I'd rather you didn't keep my weight", "User's weight is 84 kg"],
  ['Mir wäre lieber, du würdest mein Gewicht nicht speichern', 'Mein Gewicht ist 84 kg'],
  ['Je préférerais que tu ne gardes pas mon poids', 'Mon poids est de 84 kg'],
  ['Preferiría que no guardaras mi peso', 'Mi peso es 84 kg'],
  ['Preferirei che tu non conservassi il mio peso', 'Il mio peso è 84 kg'],
  ['Preferia que não guardasses o meu peso', 'O meu peso é 84 kg'],
  ['Не храни, пожалуйста, мой вес', 'Мой вес 84 кг'],
  ['体重は覚えておかないでください', '体重は84キロ'],
  ['请不要记住我的体重', '我的体重是84公斤'],
])('"%s" forgets "%s"', async (said, memory) => {
  const { left } = await afterSaying(said, [memory]);

  expect(left).toEqual([]);
});

it.each([
  'I gave the drill back, you can forget that.',
  'Den Bohrer habe ich zurückgegeben, das kannst du vergessen.',
  "J'ai rendu la perceuse, tu peux oublier ça.",
  'Я вернул дрель, можешь это забыть.',
])('of "%s" nothing is stored or forgotten', async (said) => {
  const { left } = await afterSaying(said, ['User borrowed a ladder']);

  expect(left).toEqual(['User borrowed a ladder']);
});

it('what is not stored at all is said not to be', async () => {
  const { reasons } = await afterSaying('Forget everything about the trombone', []);

  expect(reasons).toMatch(/nothing about it is stored/);
});
