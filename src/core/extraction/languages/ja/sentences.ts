import type { SentenceWords } from '../rules.ts';

export const japaneseSentences: SentenceWords = {
  speaker: '私|僕|俺',
  conjunctions: '',
  relatives: '',
  people: '彼女|彼(?=[はがのも])',
  things: 'それ|あれ',
  unnamed: [
    /^(?:来週|今週|再来週|明日|明後日|[\d一二三四五六七八九十]{1,2}(?:月|日|時))[^はがもを私僕]{0,24}(?:来ます|来る|届きます|届く|始まります|始まる|着きます|着く)(?:よ|ね)?[。！!]?$/u,
    /^(?:はい|いいえ|うん|いや)[、,]?(?:でも|ただ|けど)[^私僕俺]{1,20}(?:なし|抜き)(?:で|が)?(?:お願い|いい)?/u,
  ],
  joining:
    '(?<=[\\p{Script=Han}\\p{Script=Katakana}ー\\w])(?:と(?![いし言呼思])|や(?=[\\p{Script=Han}' +
    '\\p{Script=Katakana}]))|そして|しかし|または|および|また|[てで](?:い|お)(?:て|り)|くて|ので|' +
    'けど|ますが|ですが|ながら|だけでなく|で.{1,20}に住',
  possessives: '',
  textTasks: '翻訳|訳して|要約|校正|添削|書き直',
  rolePlace: '[でに].{2,40}として|として.{2,40}[でに]',
};
