import { irregularForms } from '../../../language/irregular-forms.ts';

const bases = `
  accept ache act add admire adopt adore advise agree aim allow answer appreciate approach argue
  arrive ask assume attend avoid bake bathe become begin believe belong bike bleed blog bookmark
  borrow break breathe bring brush build buy call camp care carry catch celebrate change charge
  chat check choose clean climb coach code collect come commute compete complete consider consult
  contain continue contribute cook cope crave create cry curate cycle dance deal decide depend
  deserve design despise detest develop disagree dislike draw dream dress drink drive earn eat
  edit employ enjoy exercise expect experience explore face fall fear feed feel fight find finish
  fish fix fly focus follow forget forgive freelance garden get give grow guess handle happen hate
  have hear help hide hike hold hope host hunt identify ignore imagine improve intend invest jog
  join keep kick knit know lack laugh lead learn leave lend lift like listen live loathe look lose
  love maintain make manage mean measure meditate meet mentor mind miss move need notice offer
  open order organize organise own paint participate pay photograph pick plan play practice
  practise pray prefer prepare program promise publish pull purchase push race raise reach realize
  realise recall receive recommend recycle regret relax rely remember rent represent require
  research respect rest ride row run sail save say schedule sculpt see seem sell send serve sew
  share shave shop show sing sit skate sketch ski skip sleep smoke snack snore speak specialize
  specialise spend stand start stay stop stream struggle study suffer supervise support surf swear
  sweat swim take talk teach tell tend think train translate transport travel treat trust try
  tutor type understand use value visit volunteer wait wake walk want wash waste watch wear weigh
  wish wonder work worry write`;

const pasts = `
  went had did got bought sold came saw met took made gave found left lost won ran ate drank began
  became broke brought built caught chose dealt dreamt drew drove fed fell felt flew forgot
  forgave fought froze grew heard held hid kept knew led learnt lent meant paid rode rang rose
  said sang sat sent shook shone shot showed slept spoke spent spilt stood stole stuck struck swam
  swore swept taught told thought threw understood woke wore wrote`;

/** Verbs that people use about themselves, as they follow "I". Their third person is regular. */
export const baseForms: ReadonlySet<string> = new Set(splitWords(bases));

/** Past forms, which are the same in all persons. */
export const pastForms: ReadonlySet<string> = new Set(
  [...splitWords(pasts), ...irregularForms.keys()].filter((form) => !baseForms.has(form)),
);

function splitWords(table: string): string[] {
  return table.trim().split(/\s+/);
}

const auxiliaries = new Set(
  (
    "is are am was were has have had does do did can can't cannot could will would should must may " +
    "might doesn't don't didn't isn't aren't wasn't won't wouldn't hasn't haven't never no"
  ).split(' '),
);

/** Whether a word is a verb as it follows a subject: "works", "have", "moved", "isn't". */
export function isFiniteVerb(word: string): boolean {
  const verb = word.toLowerCase().replaceAll('’', "'");
  if (auxiliaries.has(verb) || baseForms.has(verb) || pastForms.has(verb)) return true;
  if (/[^e]ed$/.test(verb) && verb.length > 4) return true;
  const base = [verb.replace(/s$/, ''), verb.replace(/es$/, ''), verb.replace(/ies$/, 'y')];
  return verb.endsWith('s') && base.some((one) => one !== verb && baseForms.has(one));
}
