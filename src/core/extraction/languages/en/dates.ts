import { type CalendarWords, listed, listOf } from '../calendar-words.ts';
import { dateRules } from '../date-rules.ts';

const englishCalendar: CalendarWords = {
  numbers:
    'one|an? two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen',
  ordinals: 'first|1st second|2nd third|3rd fourth|4th fifth|5th',
  last: 'last',
  weekdays:
    'mon(?:day)? tue(?:s(?:day)?)? wed(?:nesday)? thu(?:r(?:s(?:day)?)?)? fri(?:day)? sat(?:urday)? sun(?:day)?',
  months:
    'jan(?:uary)? feb(?:ruary)? mar(?:ch)? apr(?:il)? may june? july? aug(?:ust)? sept?(?:ember)? oct(?:ober)? nov(?:ember)? dec(?:ember)?',
  seasons: 'spring|summer|autumn|winter',
  units: 'days? weeks? months? years?',
  weeks: ['last week', 'this week', 'next week', 'the week after next'],
  to: ' ?[-–—] ?| (?:to|till|until|through|thru|and) (?:the )?',
  steps: {
    'the day after tomorrow': 2,
    'the day before yesterday': -2,
    'in a fortnight|(?:a )?fortnight (?:from )?(?:today|now)': 14,
  },
  days: [
    '(?:the )?{nth} {weekday} (?:of|in) {month}(?:,? {year})?',
    '{weekday},? (?:of |in )?{week}',
    '{week},? (?:on )?{weekday}',
    '(?:the |a )?{weekday} after next{later}',
    '{n} {unit} from (?:today|now)',
    '{n} {unit} from (?:this |next )?{weekday}',
    '(?<=on ){weekday} week{later}',
    'in {n} {unit}(?: to the day)?',
  ],
  periods: [
    '{day}(?:st|nd|rd|th)?(?:{to}){day2}(?:st|nd|rd|th)?(?: of)? {month2}(?:,? {year})?',
    '{day}(?:st|nd|rd|th)?(?: of)? {month}(?:{to}){day2}(?:st|nd|rd|th)?(?: of)? {month2}(?:,? {year})?',
    '{month} {day}(?:st|nd|rd|th)?(?:{to}){month2} {day2}(?:st|nd|rd|th)?(?:,? {year})?',
    '{month} {day}(?:st|nd|rd|th)?(?:{to}){day2}(?:st|nd|rd|th)?(?:,? {year})?',
  ],
  holidays: {
    '12-24': 'christmas eve',
    '12-26': 'boxing day|second christmas day',
    '12-25': 'christmas(?: day)?|x-?mas(?: day)?',
    '12-31': "new year['’]?s['’]? eve|nye",
    '01-01': "new year['’]?s['’]?(?: day)?|new year",
    '02-14': "valentine['’]?s(?: day)?",
    '10-31': 'halloween',
    '03-17': "st\\.? patrick['’]?s day",
  },
  holiday: [
    '(?:on|at|for|by|until|till|since|from|next|last|this) {holiday}',
    "^{holiday}(?=,| (?:i|we|my|our|the)(?![’']?s|\\p{L}))",
  ],
  present: 'is|are|starts?|begins?|takes place',
  times: [
    ['half (?:past )?{hour}', 30],
    ['(?:a )?quarter past {hour}', 15],
    ['(?:a )?quarter (?:to|before) {hour}', -15],
    ['ten past {hour}', 10],
    ['twenty past {hour}', 20],
    ['ten to {hour}', -10],
    ['twenty to {hour}', -20],
    ['(?<=(?:at|by|,) ){hourw}(?= (?:in the|[ap]\\.?m))', 0],
    ["{hour} o['’]clock", 0],
    ['(?<=(?:at|by) )noon|midday', 720],
  ],
  before: '(?:in the )?morning|a\\.?m\\.?',
  after: '(?:in the )?(?:afternoon|evening)|at night|p\\.?m\\.?',
  anniversaries: 'birthday|anniversary',
  recurring: [
    `(?:every|each|most) (?:other |second |third |single |\\d(?:nd|rd|th)? |two |three )?${listOf('(?:{weekday}|day|night|evening|morning|afternoon|weekday|weekend|week|fortnight|month|quarter|year|{season}|fall)s?', 'and|or')}(?: (?:night|evening|morning|afternoon)s?)?`,
    `(?:on )?${listOf('(?=\\p{L}{3,6}days){weekday}s', 'and|or|&')}(?: (?:night|evening|morning|afternoon)s?)?`,
    `(?:on )?${listOf('{weekday}', 'and|or|&')} (?:night|evening|morning|afternoon)s`,
    '(?:(?:from|between) )?{weekday}(?: (?:to|through|thru|till|until|and) | ?[-–] ?){weekday}',
    'on (?:weekdays|weekends|workdays|school days)|weekdays|weekends',
    '(?:the )?(?:first|second|third|fourth|last) (?:{weekday}|day) (?:of|in) (?:the|every|each) (?:month|quarter|year)',
    '(?:weekly|biweekly|monthly|yearly|annually|quarterly) on (?:the )?(?:{weekday}s?|\\d{1,2}(?:st|nd|rd|th)?)',
    '(?:the )?\\d{1,2}(?:st|nd|rd|th) (?:of|in) (?:the|every|each) month',
  ],
  moved:
    '(?:mov(?:e[ds]?|ing)|(?:chang|switch|shift)(?:e[ds]|ing|ed))(?!.{0,80} (?:until|till) )|push|' +
    'postpon|resched|adjourn|bump(?:ed|s|ing)|slip(?:ped|s)|delay(?:ed|s|ing)|defer|(?:put|set|h[eo]ld)(?= (?:.{0,60} )?(?:off|back) )|' +
    'br(?:ing|ought)(?= (?:.{0,60} )?forward )',
  extended: 'exten[ds]|prolong|renew',
  vague:
    '(?:my|our|his|her|their) last day|(?:the )?day (?:after|before)(?! (?:tomorrow|yesterday))|' +
    '(?:in |within |for |over )?(?:the (?:next|last|past|coming) )?(?:a few|several|some|a couple(?: of)?|many) (?:more )?(?:day|week|month|year|night|weekend)s?(?: (?:ago|back|later|from now))?|' +
    '(?:the other|one|some) (?:day|night|week)|(?:one|some) of these days|these days|some ?day|the next (?:day|week|month)s|sooner or later',
  announcing:
    'on|by|until|till|since|from|before|after|due|dated|between|for|is|was|the|date|birthday|exam',
  fractions:
    '(?<![\\d/.])\\d{1,2}\\/\\d{1,3}(?![\\d/])(?= ?-?(?:cups?|c|tsp|tbsp|teaspoons?|tablespoons?|inch(?:es)?|in|"|″|of|miles?|pounds?|lbs?|stars?|points?|full|empty|done|complete|majority|share)(?!\\p{L}))|(?<=(?<!\\p{L})(?:is|was|for|the) )\\d{1,2}\\/(?:5|10)(?![\\d/])',
  money: 'euro|dollar|pound|rubl',
  joints: 'and|but',
  habits: 'always|usually|normally|typically',
  end: '(?:the )?end of',
  yearLead: 'the |the year ',
  reading: {
    last: 'last|past|previous',
    near: {},
    beforeYear: 'in|since|during',
    dayAlone:
      '(?:on|by|until|till|from|since|before|after|due|is|was|for|to) the {day}(?:st|nd|rd|th)' +
      '(?=\\s*(?:[.,;:!?)–—-]|$)|\\s+(?:at|and|or|in|with|to|so|but|because|which|when|if|for|then|is|' +
      'was|around|about|from|of (?:this|next|last) month)(?!\\p{L}))',
    duration: 'for|within|during|over',
    otherWords: 'may|march|mar|sat|sun|second',
    // "Since the accident in May", not "since my exam starts on Friday", which is a reason.
    since:
      'since(?: (?:the|my|our|an?|his|her) (?:(?!(?:is|are|\\p{L}+s) )\\p{L}+ ){1,3}(?:in|on|of|last))?',
    coming: 'starting|beginning|from|as of|opens?|closes?|ends?',
    perfect:
      "(?:have|has|i['’]ve|we['’]ve|they['’]ve) been (?:in|at|to|on|with)(?: \\p{L}+){1,3}(?: on| from)?|" +
      '^(?:the|this|my|our|a) (?:\\p{L}+ ){1,3}taken(?: on| from)?',
    articles: 'on|the|early|mid|late',
    weekend: 'weekend',
    ofDay: '\\bdays?\\b',
    ofWeek: 'week(?!end)',
    ofMonth: 'month',
    today: 'this|today',
  },
};

export const englishDates = dateRules({
  calendar: englishCalendar,
  dated:
    '\\d{1,4}(?:st|nd|rd|th)?|yesterday|tomorrow|(?:last|next|this|past|' +
    'coming|previous) \\p{L}+|' +
    'ago|from (?:today|now)|fortnight|weekend|in (?:the )?fall|in ' +
    `(?:${listed(englishCalendar.numbers)}) \\p{L}+`,
  since: '(?:ever )?since',
  starting:
    'as of|starting(?: in| on| from)?|effective|from(?= [^,;.!?]{2,24} (?:on|onwards?)(?=[,.;!]|$| (?:i|we|my|our)(?!\\p{L})))',
  until: 'until|till|up (?:to|until)',
  from: 'from|between',
  to: 'to|until|till|through|and',
  every: 'every|each',
  yearly:
    '(?:every|each) (?:(?:other |single )?year|fall|easter)|yearly|annually|(?:once|twice) a year',
  ordinal: '(?:st|nd|rd|th)?',
  of: 'of ',
  alone: '(?:st|nd|rd|th)(?!\\p{L})',
  lead: '(?<lead>on|by|until|till|from|since|before|after|due|is|was|for|to)',
  on: 'on the ',
  between: 'the',
  movedTo: '(?:to|until|till|for)(?: the| early| mid| late)?',
  comingDays: 'tomorrow|the day after|the week after|next \\p{L}+',
  arranged:
    '(?:(?:pre|re)?-?booked|reserved|scheduled|planned|arranged|(?:signed|lined) up|registered|' +
    '(?:agreed|decided|promised(?: \\p{L}+){0,3}|offered|volunteered) to (?!(?:the|an?|my|our|his|her|it) )\\p{L}+|' +
    '(?:set|fixed|confirmed|slated|down|chosen|picked|selected|summoned) for|' +
    'invited (?:\\p{L}+ ){0,2}(?:to|for)|(?:got|received|given|sent|have|has) (?:\\p{L}+ ){0,4}(?:appointments?(?! (?:letter|card))|(?:invitations?|invites?|slots?|interviews?) (?:for|to))|' +
    'enroll?ed|entered|(?:got|bought|have|has) (?:\\p{L}+ ){0,3}(?:tickets?|seats?)|appointed|' +
    'reminded (?:me|us|him|her|them|\\p{Lu}\\p{L}+) (?:of|about|that))(?!\\p{L})' +
    '(?! (?:it|this|that|them)(?! (?:all )?(?:for|to)))',
  ahead:
    'comes|leaves|arrives|returns|opens|closes|ends|expires|finishes|happens|runs out|falls|starts|begins|takes place|will|(?:have|has|need|needs|am|is|are) to|must|can|(?:is|are) (?:due|valid|good|going to)|(?:get|gets|am|are) paid',
  not: "not|(?:is|was|are|wo)n['’]t|instead of",
  calledOff: {
    the: 'my|our|the|his|her|their',
    of: 'on|for|of',
    before: 'cancel(?:l?ed)?|called off|scrapped',
    behind: '(?:is|are|was|were|got|gets|been|be) (?:\\p{L}+ )?(?:cancell?ed|called off|scrapped)',
    lasting: 'subscri|member|contract|account|insur|polic|card|plan|order',
  },
});
