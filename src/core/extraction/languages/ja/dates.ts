import { type CalendarWords, holidaysOf } from '../calendar-words.ts';
import { anyText, type DatingRules } from '../rules.ts';

const days = '月火水木金土日';
const day = `[${days}]`;
const weekday = `${day}曜日?`;

const japaneseCalendar: CalendarWords = {
  numbers: '一 二 三 四 五 六 七 八 九 十 十一 十二 十三 十四 十五',
  ordinals:
    '第?[1１一](?:週|回)?の?|最初の 第?[2２二](?:週|回)?の? 第?[3３三](?:週|回)?の? 第?[4４四](?:週|回)?の? 第?[5５五](?:週|回)?の?',
  last: '最終|最後の',
  weekdays: [...days].map((one) => `${one}曜日?`).join(' '),
  months:
    '(?:1|１|一)月 (?:2|２|二)月 (?:3|３|三)月 (?:4|４|四)月 (?:5|５|五)月 (?:6|６|六)月 (?:7|７|七)月 (?:8|８|八)月 (?:9|９|九)月 (?:10|１０|十)月 (?:11|１１|十一)月 (?:12|１２|十二)月',
  seasons: '春|夏|秋|冬',
  units: '日 週間 (?:か月|ヶ月|カ月|ケ月) 年',
  weeks: ['先週', '今週', '来週', '再来週'],
  to: '(?:から|[-–—〜～~])',
  steps: {
    'さきおととい|一昨々日': -3,
    '一昨日|おととい': -2,
    '明後日|あさって': 2,
    '明々後日|しあさって': 3,
  },
  days: [
    '(?:{year}年)?{month}の?{nth}{weekday}',
    '{week}の?、?{weekday}',
    '(?:あと)?{n}{unit}後(?!半)',
    '{n}{unit}の?前{ago}(?!半)',
  ],
  periods: [
    '(?:{year}年)?{month}{day}日?(?:{to}){day2}日',
    '(?:{year}年)?{month}{day}日?(?:{to}){month2}{day2}日',
  ],
  holidays: {
    '12-24': 'クリスマスイ[ブヴ]|イブ',
    '12-25': 'クリスマス(?!イ)',
    '12-31': '大[晦みそ]{1,3}日|大晦日|大みそか|大晦',
    '01-01': '元日|元旦',
    '02-14': 'バレンタイン(?:デー)?',
    '03-14': 'ホワイトデー',
    '10-31': 'ハロウィン',
    '07-07': '七夕',
    '03-03': 'ひな祭り',
    '05-05': 'こどもの日',
  },
  holiday: ['{holiday}(?=に|は(?!.{0,20}(?:好き|嫌い))|の(?:日|夜|朝|昼)|から|まで|、)'],
  present: 'です|あります',
  times: [['正午', 720]],
  before: '(?!)',
  after: '(?!)',
  anniversaries: '誕生日',
  recurring: [
    `毎(?:週|日|朝|晩|月|年|回|{season})(?:の?${day}(?:曜日?)?(?:[、と・や]${day}(?:曜日?)?){0,6})?(?:\\d{1,2}日)?`,
    `${weekday}(?:から|〜|～|と|・|、)${weekday}|平日|隔週(?:の?${weekday})?`,
  ],
  vague:
    '(?:数|何|幾)(?:日|週間|か月|ヶ月|カ月|年)(?:後|前|か)?|この間|先日|いつか|近いうちに?|そのうち',
  habits: 'いつも',
  end: '末',
  reading: {
    near: {
      day: { [-2]: '一昨日|おととい', [-1]: '昨日|昨夜|昨晩', 2: '明後日|あさって', 1: '明日' },
      week: { [-1]: '先週', 1: '来週' },
      month: { [-1]: '先月', 1: '来月' },
      year: { [-1]: '(?:去年|昨年)(?!の?[春夏秋冬])', 1: '来年(?!の?[春夏秋冬])' },
    },
    afterYear: '年',
    dayAlone: '(?<![月\\d]){day}日(?![間目前後本中々]|以内|おき|ごと)',
    sinceAfter: '以来',
    fromAfter: 'から',
    ofDay: '日前',
    ofWeek: '週',
    ofMonth: '月',
    dayEnd: '日',
    todayWithin: '今',
  },
};

export const japaneseDates: DatingRules = {
  calendar: japaneseCalendar,
  dated: anyText(
    '[\\d０-９一二三四五六七八九十]|昨日|一昨日|明日|明後日|先週|来週|先月|来月|去年|昨年|来年|曜日',
    holidaysOf(japaneseCalendar),
    japaneseCalendar.seasons,
  ),
  validity: {
    since: /(?<date>[^、。から]{2,15})以来(?!.*まで)/u,
    starting: /(?<date>[^、。から]{2,15})(?:から|以降)(?!.*まで)/u,
    until: /(?<date>[^、。から]{2,15})まで/u,
    range: /(?<from>[^、。から]{2,15})から(?<until>[^、。から]{2,15})まで/u,
  },
  dates: {
    moved:
      /(?<date>(?=[^、。]{0,9}(?:\d日|\d月|十日|曜|明日|明後日|来週|来月))[^、。からよりにをはが]{2,20})(?:に|へ|まで)(?:変更|延期|延び|延ば|前倒|後ろ倒|先送|移動|移さ|移し|ずら|ずれ|繰り[上下]げ|振り替え|リスケ)/u,
    arranged: anyText(
      '(?:予約|申し?込|登録|予定|計画|手配)(?:を(?:入れ|し|取)|し|済|ん|み|り|が|さ)',
      'チケットを(?:買|取)|リマインド',
    ),
    yearly: /毎年|年に[一二1-9１-９]回|年[1-9１-９]回|例年/u,
    weekdayBefore: new RegExp(`(?:毎週)?${weekday}(?:の|、|に)?(?=\\d{1,2}[月日])`, 'gu'),
    on: '',
    weekdayAfter: new RegExp(
      `(?<date>\\d{1,2}日)(?:の|、)?(?:[(（]${day}(?:曜日?)?[)）]|${weekday})`,
      'gu',
    ),
  },
};
