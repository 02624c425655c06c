import type { SlotRule } from '../rules.ts';

/** A value must be a name or a number: "the manager is on vacation" does not say who it is. */
const demonyms =
  '(?:French|German|Italian|Spanish|English|British|Irish|Polish|Turkish|American|Canadian|' +
  'Indian|Chinese|Japanese|Russian|Dutch|Greek|Portuguese|Brazilian|Mexican|Swiss|Swedish|' +
  'Danish|Korean|Australian|European|OK|AWOL)';
const name =
  `(?!${demonyms}\\b)\\p{Lu}[\\p{L}'’.-]*(?: \\p{Lu}[\\p{L}'’.-]*){0,4}` +
  '(?=[.!]?$|[,;(]| (?:now|and|from|at|in)\\b)';
const amount =
  '(?:about |around )?[$€£]? ?\\d[\\d.,]*' +
  '(?!\\d| ?(?:%|percent|minutes?|hours?|days?|weeks?|months?|years?|times?)(?!\\p{L}))';

const valuedAttributes: readonly (readonly [topic: string, value: string])[] = [
  ['landlord|boss|manager|dentist|cardiologist|employer', name],
  ['e-?mail(?: address)?', '\\S+@\\S'],
  ['(?:phone|mobile|cell|telephone)(?: number)?', '[+(]{0,2}\\d[\\d ().-]{4,}'],
  ['salary', amount],
];
const otherAttributes =
  'birthday|date of birth|time ?zone|height|weight|shoe size|ring size|blood type|' +
  'native language|mother tongue|nationality|star sign|zodiac sign|username|nickname|' +
  '(?:home |postal )?address|job title|licen[cs]e plate';

/** First words of sentences that are not names. */
export const notSubjects =
  '(?:I|He|She|It|They|We|You|This|That|These|Those|There|Here|What|' +
  'Who|The|A|An|My|Your|Our|His)';

const owner = `(?<who>(?!${notSubjects}\\b)\\p{Lu}[\\p{L}-]*)`;
const isSource = '(?:is|has changed to|changed to) (?:now |currently )?(?:called |named )?';

/** Things of which a person has one: with an owner, or "the new" one if the value is clear. */
export const attributeSlots: readonly SlotRule[] = [
  ...valuedAttributes.flatMap(([topic, value]) => [
    attributeSlot(`^${owner}['’]s (?:new |current )*(?<topic>${topic}) ${isSource}${value}`),
    attributeSlot(`^(?:[Oo]ur |[Tt]he )?[Nn]ew (?<topic>${topic}) is (?:now )?${value}`),
  ]),
  {
    slot: 'attribute',
    pattern: new RegExp(
      `^${owner}['’]s (?:new |current )*(?<topic>${otherAttributes}) (?:is|has changed to|changed to)\\b`,
      'iu',
    ),
  },
  attributeSlot(
    `^(?:[Oo]ur |[Tt]he )?[Nn]ew (?<topic>height|weight|shoe size|ring size) is ${amount}`,
  ),
  attributeSlot(`^(?:[Oo]ur |[Tt]he )?[Nn]ew (?<topic>job title|time ?zone) is ${name}`),
  attributeSlot(
    `^(?:[Oo]ur |[Tt]he )?[Nn]ew (?<topic>(?:home |postal )?address) is ` +
      '(?=[^.]*\\d)(?:\\p{Lu}|\\d+[a-z]?,? \\p{Lu})',
  ),
];

function attributeSlot(pattern: string): SlotRule {
  return { slot: 'attribute', pattern: new RegExp(pattern, 'u') };
}
