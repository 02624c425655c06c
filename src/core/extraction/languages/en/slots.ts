import type { SlotRule } from '../rules.ts';
import { attributeSlots, notSubjects } from './attributes.ts';

/** Subjects: the speaker in the third person, a name, or a relative of either. */
const whoSource = `(?<who>(?!${notSubjects}\\b)\\p{Lu}[\\p{L}-]*(?:['’]s [\\p{L}-]+)?)`;

const nowAdverb = '(?:now|currently|still|just|recently|finally|also|actually|happily) ';

const nowAdverbs = `(?:${nowAdverb})*`;

const endedSource = "(?<ended>no longer |does(?: not|n['’]t) )?";

const profession =
  '(?:engineer|developer|programmer|teacher|nurse|doctor|physician|' +
  'surgeon|dentist|designer|' +
  'lawyer|attorney|manager|student|chef|cook|baker|writer|author|journalist|' +
  'artist|musician|' +
  'photographer|accountant|analyst|scientist|researcher|professor|' +
  'consultant|architect|' +
  'electrician|plumber|carpenter|mechanic|pilot|driver|farmer|librarian|' +
  'pharmacist|therapist|' +
  'psychologist|veterinarian|vet|paramedic|firefighter|freelancer|' +
  'translator|editor|banker|' +
  'economist|biologist|chemist|physicist|translator|barista|waiter|' +
  'waitress|actor|actress|' +
  'salesperson|realtor|entrepreneur|founder|ceo|cto|intern|retiree|' +
  'coach|counselor|director)';

/** People follow one of the first four at a time; a vegan may be lactose intolerant, too. */
const diet =
  '(?:vegan|vegetarian|pescatarian|flexitarian|(?<topic>keto|paleo|gluten-free|' +
  'lactose[- ]intolerant|lactose-free|coeliac|celiac|kosher|halal))';

/** Matched in the third person, so that statements about others count too. */
export const englishSlots: readonly SlotRule[] = [
  {
    slot: 'lives_in',
    pattern: new RegExp(
      `^${whoSource} ${endedSource}${nowAdverbs}(?:lives?|resides?|is living|is based|has been living) (?:with` +
        ` .+ )?in `,
      'u',
    ),
  },
  {
    slot: 'lives_in',
    pattern: new RegExp(
      `^(?:(?:[Ll]ast|[Tt]his|[Ii]n|[Oo]n|[Yy]esterday)[^,]*,? )?${whoSource} (?:has )?${nowAdverbs}(?:moved|relocated)(?: back| away)?(?: (?:here )?from [^,]+?)? to (?:the )?\\p{Lu}`,
      'u',
    ),
  },
  {
    // "We moved" must be about a home: teams move to tools as well.
    slot: 'lives_in',
    pattern: new RegExp(
      `^[Ww]e(?:['’]ve| have)? ${nowAdverbs}moved (?:back )?(?:(?:in)?to (?:an?|our|another) ` +
        '(?:[\\p{Ll}-]+ ){0,2}(?:house|flat|apartment) in \\p{Lu}|to (?:the )?\\p{Lu}[\\p{L} ]*? ' +
        'with (?:(?:my|the|our) (?:whole )?(?:family|kids|children)|my (?:wife|husband)))',
      'u',
    ),
  },
  {
    slot: 'works_at',
    pattern: new RegExp(
      "^[Ss]tarted (?:User['’]s|my|a|the|at my) new job" +
        '(?=[.!]*$|,? (?:at (?!\\d)|(?:as|today|yesterday|last)\\b))',
      'u',
    ),
  },
  {
    slot: 'works_at',
    pattern: new RegExp(
      `^${whoSource} ${endedSource}${nowAdverbs}(?:works?|is working|has been working) (?:as an? [^,]+? )?(?:at|for) (?!home\\b|the (?:last|past)\\b|\\d|a (?:while|long|year|` +
        `month|week)|(?:one|two|three|four|five|six|ten|many|years|months)\\b)`,
      'u',
    ),
  },
  {
    slot: 'works_at',
    pattern: new RegExp(
      `^${whoSource} ${nowAdverbs}(?:joined (?=\\p{Lu})|started (?:working |a (?:new )?job |` +
        `a new position )?at (?=\\p{Lu})|got a (?:new )?job at |accepted an? (?:job|` +
        `offer|position) (?:at|from) |switched jobs )`,
      'u',
    ),
  },
  {
    slot: 'works_at',
    pattern: new RegExp(
      `^${whoSource} ${nowAdverbs}(?<ended>quit|left|resigned from|was (?:laid off|` +
        `fired) from|lost) (?:(?:their|a) (?:old )?(?:job|position)\\b)`,
      'u',
    ),
  },
  {
    slot: 'job',
    pattern: new RegExp(
      `^${whoSource} (?:${endedSource}${nowAdverbs}works? as an? |(?:is|became|was promoted to|` +
        `got promoted to) ${nowAdverbs}(?:an? |the )?(?:[\\p{L}-]+ ){0,3}${profession}\\b)`,
      'u',
    ),
  },
  {
    slot: 'name',
    pattern: new RegExp(`^${whoSource}['’]s (?:full |real |first |last )?name is `, 'u'),
  },
  {
    slot: 'age',
    pattern: new RegExp(
      `^${whoSource} (?:is ${nowAdverbs}\\d{1,3}(?: years old)?(?=[.!]?$| and\\b|, )|` +
        `${nowAdverbs}turned \\d{1,3}\\b)`,
      'u',
    ),
  },
  {
    slot: 'relationship',
    pattern: new RegExp(
      `^${whoSource} (?:is ${nowAdverbs}(?:single|married|engaged|divorced|widowed|` +
        `separated|in a (?:new )?relationship)\\b|${nowAdverbs}got (?:married|engaged|` +
        `divorced)\\b|${nowAdverbs}broke up with\\b)`,
      'u',
    ),
  },
  {
    slot: 'diet',
    pattern: new RegExp(
      `^${whoSource} (?:is|became|went|turned|has (?:been|gone)) (?<ended>no longer |` +
        `not )?${nowAdverbs}(?:an? )?(?:strict |strictly )?${diet}\\b`,
      'u',
    ),
  },
  {
    slot: 'favourite',
    pattern: new RegExp(
      `^${whoSource.replace("(?:['’]s [\\p{L}-]+)?", '')}['’]s (?:new |all-time |` +
        `absolute |current )*favou?rite (?<topic>[\\p{L} -]+?) ` +
        `(?:(?:these days|nowadays|now|currently|at the moment) )?(?:is|are|was|has become|became)\\b`,
      'u',
    ),
  },
  {
    slot: 'favourite',
    pattern:
      /^(?:(?:new|current) )?favou?rite (?<topic>[\p{L} -]{1,60}?) (?:is|are)(?= .{0,200}\bnow\b)/iu,
  },
  {
    slot: 'allergic_to',
    pattern: new RegExp(
      `^${whoSource} is (?<ended>not |no longer )?(?:${nowAdverb}|severely |very |` +
        `badly |mildly |highly )*allergic to (?<topic>[^.!,]+)`,
      'u',
    ),
  },
  {
    slot: 'prefers',
    pattern: new RegExp(
      `^${whoSource} ${nowAdverbs}(?:really |much |strongly )*prefers (?<topic>.+?) (?:to|` +
        `over|rather than|instead of) (?<other>[^.!,]+?)(?: these days| now|` +
        ` nowadays| lately)*(?:[.!,]|$)`,
      'u',
    ),
  },
  ...attributeSlots,
  {
    slot: 'drives',
    pattern: new RegExp(`^${whoSource} ${endedSource}${nowAdverbs}drives? an? `, 'u'),
  },
];
