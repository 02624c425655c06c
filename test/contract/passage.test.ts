import { describe, expect, it } from 'vitest';
import { estimateTokens } from '../../src/contract/estimate-tokens.ts';
import { fitPassage, passageOf } from '../../src/contract/passage.ts';

const garden = 'In spring the beds are dug, and the beans are sown along the southern wall. ';
const deep = (fact: string, prose = garden) => `${prose.repeat(40)}${fact} ${prose.repeat(40)}`;

describe('a passage', () => {
  it('is the whole text where that fits', () => {
    expect(passageOf('The cat is called Biscuit', 'cat', 25)).toBe('The cat is called Biscuit');
  });

  it('is marked only where something was cut', () => {
    const fact = 'The alarm code is HERON.';
    const question = 'What is the alarm code?';

    expect(passageOf(`${fact} ${garden.repeat(9)}`, question, 120)).toMatch(/^The alarm .*…$/);
    expect(passageOf(`${garden.repeat(9)}${fact}`, question, 120)).toMatch(/^….* HERON\.$/);
    expect(passageOf(deep(fact), question, 120)).toMatch(/^….* HERON\. .*…$/);
  });

  it('begins and ends with whole words', () => {
    for (let room = 20; room < 300; room += 1) {
      const passage = passageOf(deep('The alarm code is HERON.'), 'alarm code?', room);
      const words = passage.replaceAll('…', '').split(' ');
      for (const word of words)
        expect(` ${deep('The alarm code is HERON.')} `).toContain(` ${word} `);
      expect(passage).toContain('alarm code');
    }
  });

  it.each([
    ['What is she allergic to?', 'Her allergies are pollen and nuts.', 'pollen'],
    ['Wie heißt der Hausmeister?', 'Der HAUSMEISTER heißt Brüggemann.', 'Brüggemann'],
    ['Où est le chalet de Zoë?', 'Le chalet de Zoe est à Megève.', 'Megève'],
    ['Как зовут собаку?', 'Нашу собаку мы назвали Бублик.', 'Бублик'],
    ['¿Cuál es la contraseña del sótano?', 'La contrasena del sotano es GARZA.', 'GARZA'],
  ])('answers "%s" by words in other forms', (question, fact, answer) => {
    expect(passageOf(deep(fact), question, 200)).toContain(answer);
  });

  it.each([
    [
      '警报密码是什么？',
      '警报密码是橙色苍鹭。',
      '春天我们在南墙边挖地种豆子，夏天浇水。',
      '橙色苍鹭',
    ],
    [
      '猫の名前は？',
      '猫の名前はビスケットです。',
      '春は畑を耕して、南の壁に豆をまきます。',
      'ビスケット',
    ],
    ['รหัสเตือนภัยคืออะไร', 'รหัสเตือนภัยคือนกกระสา', 'ฤดูใบไม้ผลิเราขุดแปลงและหว่านถั่ว', 'นกกระสา'],
  ])('answers "%s" without spaces between words', (question, fact, prose, answer) => {
    expect(passageOf(deep(fact, prose), question, 100)).toContain(answer);
  });

  it('is the beginning where no word of the question tells places apart', () => {
    const text = `First of all: ${garden.repeat(40)}`;

    expect(passageOf(text, 'Quelle heure?', 100)).toMatch(/^First of all/);
    expect(passageOf(text, 'the and in spring', 100)).toMatch(/^First of all/);
    expect(passageOf(text, null, 100)).toMatch(/^First of all/);
  });

  it('never cuts a sign in half', () => {
    const family = '👩‍👩‍👧‍👦';
    for (const sign of ['🦊', family, 'é', '🇧🇪']) {
      for (let room = 1; room < 120; room += 1) {
        const text = `${sign.repeat(100)}code${sign.repeat(100)}`;
        const passage = passageOf(text, 'code', room);
        expect(passage.isWellFormed(), `${sign} ${room}`).toBe(true);
        if (sign !== '🇧🇪')
          expect(passage.replaceAll('…', '').replaceAll(sign, '')).toMatch(/^c?o?d?e?$/);
      }
    }
  });

  it('is as long as a budget of tokens allows', () => {
    for (const sign of ['word ', '🦊', '猫', 'x7 ']) {
      for (let budget = 1; budget < 200; budget += 7) {
        const text = sign.repeat(2000);
        const passage = fitPassage(text, null, { budget, costOf: estimateTokens }) ?? '';
        expect(estimateTokens(passage)).toBeLessThanOrEqual(budget);
        if (budget > 50) expect(estimateTokens(passage)).toBeGreaterThan(budget / 2);
      }
    }
  });

  it('is found in a text of any form in time', () => {
    const started = performance.now();
    for (const piece of ['a', 'a ', 'alarm ', '猫', '\u0301', '🦊', ' ', 'Ab1-']) {
      const text = piece.repeat(Math.floor(32_000 / piece.length));
      passageOf(text, `${piece.repeat(500)} alarm code`, 500);
    }
    expect(performance.now() - started).toBeLessThan(2000);
  });
});
