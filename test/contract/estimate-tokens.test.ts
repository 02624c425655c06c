import { readFileSync } from 'node:fs';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { v4 as uuid } from 'uuid';
import { describe, expect, it } from 'vitest';
import { estimateTokens } from '../../src/contract/estimate-tokens.ts';
import { randomBytesFor } from '../support/random-bytes.ts';

const texts: Record<string, string> = {
  English:
    'I went to a new coffee shop with Caroline yesterday, and we talked about her plans to move ' +
    'to Boston next spring. The doctor told him to eat less salt and to take his medicine daily. ',
  names: 'Xiomara Szczepański Nguyễn Bhattacharya Oyelaran Wojciechowski Krishnamurthy Siobhán ',
  German: 'Wir sprachen über Krankenversicherungsbeiträge und die Umzugspläne für das Frühjahr. ',
  Chinese: '我昨天和玛丽一起去了北京的一家新开的咖啡馆，我们谈论了她在上海的工作以及她的计划。',
  Japanese: '昨日は友達と一緒に京都の新しいカフェに行って、引っ越す予定について話しました。',
  Korean: '어제 친구와 함께 서울에 새로 생긴 카페에 가서 이사할 계획에 대해 이야기했습니다. ',
  Russian: 'Вчера мы с Машей ходили в новое кафе и говорили о её планах переехать весной. ',
  Arabic: 'ذهبت أمس مع صديقتي إلى مقهى جديد وتحدثنا عن خططها للانتقال إلى مدينة أخرى. ',
  Hindi: 'कल मैं अपने दोस्त के साथ एक नए कैफे में गया और हमने घर बदलने की योजना के बारे में बात की। ',
  Thai: 'เมื่อวานฉันไปร้านกาแฟเปิดใหม่กับเพื่อนและคุยกันเรื่องแผนการย้ายบ้าน',
  emoji: '😀🎉👨‍👩‍👧‍👦🇩🇪👍🏽❤️🔥🥳🏳️‍🌈🧑🏿‍💻',
  punctuation: '===== ----- ***** ##### ,,,, (((( {{{{ ]]]] <><><> !?!?!? ',
  symbols: '∑∫√≤≥≠≈∞∂∇∈∉⊂⊃∪∩→←↑↓⇒⇔',
  space: 'a     b\t\tc\n\n\n   d',
};

const files: Record<string, string> = {
  code: readFileSync(new URL('../../src/contract/estimate-tokens.ts', import.meta.url), 'utf8'),
  JSON: JSON.stringify(Array.from({ length: 50 }, result)),
  UUIDs: Array.from({ length: 300 }, (_, index) => idOf(index)).join('\n'),
  hex: randomBytesFor('hex', 10_000).toString('hex'),
  base64: randomBytesFor('base64', 10_000).toString('base64'),
};

describe('the estimate of tokens', () => {
  const all = Object.entries(texts).map(([name, text]) => [name, text.repeat(20)] as const);

  it.each([...all, ...Object.entries(files)])('is not below the count of %s', (_, text) => {
    expect(estimateTokens(text) / countTokens(text)).toBeGreaterThan(0.94);
  });

  it.each(['English', 'Chinese', 'Korean', 'German'])('is near the count of %s', (name) => {
    const text = (texts[name] ?? '').repeat(20);

    expect(estimateTokens(text) / countTokens(text)).toBeLessThan(1.6);
  });
});

function result(_: unknown, index: number) {
  return {
    id: idOf(index),
    memory: 'Caroline wants to adopt a dog from the shelter in May',
    score: 0.42,
    date: '2026-01-02',
    metadata: { source: 'chat_app', turn: 17 },
  };
}

function idOf(index: number): string {
  return uuid({ random: randomBytesFor(`id ${index}`, 16) });
}
