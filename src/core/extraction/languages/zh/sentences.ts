import type { SentenceWords } from '../rules.ts';

export const chineseSentences: SentenceWords = {
  speaker: '我',
  conjunctions: '',
  relatives: '',
  people: '[他她]',
  things: '[它那]',
  unnamed: [
    /^(?:下个?|这个?|本)(?:周|星期|礼拜|月)[^我他她是的]{0,14}(?:来|到|开始|结束)[。！!]?$/u,
    /^(?:明天|后天)[^我他她是的]{0,10}(?:来|到|开始|结束)[。！!]?$/u,
    /^(?:好的?|可以|行|对)[，,]?(?:但是?|不过)(?:不要|别|不加|没有)/u,
  ],
  joining: '[和与與及跟并並但而还還也又或]|因[为為]|所以|同[时時]|一起',
  possessives: '',
  textTasks: '翻译|总结|修改|校对|改写|润色',
  rolePlace: '在.{1,40}(?:当|當|担任|擔任|作为|作為|做)',
};
