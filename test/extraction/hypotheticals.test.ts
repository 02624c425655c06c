import { describe, expect, it } from 'vitest';
import { extractStatements } from '../../src/core/extraction/extract-statements.ts';
import { isHypothetical } from '../../src/core/extraction/judging/hypotheticals.ts';

const said = (content: string) =>
  extractStatements([{ role: 'user', content }]).statements.map(
    ({ text, said: own }) => own ?? text,
  );

describe('what is only supposed', () => {
  it.each([
    'If I lived in Oslo, I would ski every day.',
    'Well, if I were taller, I could reach the shelf.',
    'If I had more money, I would buy a boat.',
    'Wenn ich reich wäre, würde ich reisen.',
    'Wenn ich in Köln wohnen würde, wäre alles besser.',
    "Si j'avais le temps, j'irais plus souvent à Lyon.",
    'Si tuviera dinero, compraría un barco.',
    'Se avessi tempo, mangerei meglio ogni giorno.',
    'Se eu morasse em Lisboa, gastaria mais por mês.',
    'Если бы я жил в Риме, я бы учил итальянский.',
    'もし京都に住んでたら、毎日お寺に行くのになあ',
  ])('leaves nothing: "%s"', (content) => {
    expect(said(content)).toEqual([]);
  });

  it.each([
    "If I had to choose, I'd say my favourite colour is blue.",
    'If I skipped breakfast, I would get a migraine.',
    'If I lived alone, I would be sad, but I have three dogs.',
    'Wenn ich ehrlich bin, würde ich am liebsten nur Tee trinken.',
    'Wenn ich Kopfschmerzen habe, nehme ich Ibuprofen, Aspirin könnte mich umbringen.',
    'Si je vais à Lyon en mai, je logerai chez ma soeur.',
    'Si tuviera que elegir, diría que mi color favorito es el azul.',
    'もし時間があったら京都に行きたいな',
  ])('is not "%s"', (content) => {
    expect(said(content)).toEqual([content]);
  });

  it('is kept where somebody asks to remember it', () => {
    const kept = 'Please remember that if I lived in Rome, I would ride a scooter.';

    expect(said(kept)).toHaveLength(1);
  });

  it.each(['もし', 'もしたら', "si j'étais ", 'se fossi ', 'wenn ich ', 'if i were '])(
    'is looked for in one go, in a long run behind "%s"',
    (before) => {
      for (const part of ['たら', 'れば', 'a', 'rai', 'wäre', ' ']) {
        expect(isHypothetical(`${before}${part.repeat(300_000 / part.length)}。`)).toBe(false);
      }
    },
  );
});

describe('code that is shown', () => {
  it('leaves nothing, and what stands around it stays', () => {
    const content = 'I work with Node.\n```js\nmy name is wrong;\n```\nI live in Bonn.';

    expect(said(content)).toEqual(['I work with Node.', 'I live in Bonn.']);
  });

  it.each([
    ['Remember that my deploy command is ```npm run ship```.', 'npm run ship'],
    ['Please remember that my deploy command is\n```\nnpm run ship now\n```', 'npm run ship now'],
    ['My deploy command is ```npm run ship``` these days.', 'npm run ship'],
    ['```\nI never closed this.\nI am allergic to nuts.', 'allergic to nuts'],
    ['I use ``` in my notes.\nI am allergic to nuts.', 'allergic to nuts'],
  ])('is not in %j, of which "%s" stays', (content, words) => {
    expect(said(content).join('\n')).toContain(words);
  });
});

describe('the words of somebody else', () => {
  it.each([
    'Please translate this. "I live in a small house near the sea."',
    'Can you proofread this? "I live in a small house near the sea."',
  ])('leave nothing where something is to be done to them: %s', (content) => {
    expect(said(content)).toEqual([]);
  });

  it.each([
    'Do you know what my doctor said? "You are allergic to penicillin."',
    'Tell me what you think. "I moved to a house near the sea."',
  ])('stay else: %s', (content) => {
    expect(said(content)).toHaveLength(1);
  });
});
