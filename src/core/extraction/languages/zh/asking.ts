import type { AskingWords } from '../asking-words.ts';

export const chineseAsking: AskingWords = {
  task: /^(?:请|麻烦)?(?:你)?(?:帮我|给我|替我|告诉我|教我|帮忙|(?:改|写|讲|说|算|查|翻译|总结|缩短|润色|想|列|换|删|加|解释|推荐|生成)(?:一下|一个|一首|一段|个|短|长|成))/u,
  lasting: /总是|永远|以后|从现在起|每次|一直|我的/u,
  supposing: /^(?:假设|假如|如果我是|要是我|想象)/u,
  play: /(?:你(?:来)?(?:扮演|当|是)).{1,40}我(?:来)?(?:扮演|当|是)/u,
  conditional: null,
};
