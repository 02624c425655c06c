/**
 * The other spellings of an English word in lower case: American of British, British of American.
 * By rules of endings and roots, which may also make words that do not exist; those find nothing.
 */
export function otherSpellings(word: string): string[] {
  if (word.length > wordMaxChars || !/^[a-z]{3,}$/.test(word)) return [];
  const byEnding = endings.flatMap(([pattern, other]) => {
    return pattern.test(word) ? [word.replace(pattern, other)] : [];
  });
  const byRoot = roots.flatMap(([root, other]) => {
    return word.startsWith(root) ? [other + word.slice(root.length)] : [];
  });
  return [...new Set([...byEnding, ...byRoot])];
}

const wordMaxChars = 24;

/** What may follow the root of a verb. */
const verbEnding = '(e|es|ed|er|ers|ing|able|ation|ations)';

/** Each asks for a vowel or a few letters before the ending, so that "four" and "wise" stay. */
const endings: readonly (readonly [pattern: RegExp, other: string])[] = [
  // "colour", "favourite", "neighbourhood".
  [/^([a-z]*[aeiou][a-z]*)our(?!n)/, '$1or'],
  [/^([a-z]*[aeiou][a-z]*)or(?=$|(?:s|ed|ing|ful|less|hoods?|it\w*|abl\w*|al\w*)$)/, '$1our'],
  // "organise", "realisation", "analyse".
  [new RegExp(`^([a-z]{3,})is${verbEnding}$`), '$1iz$2'],
  [new RegExp(`^([a-z]{3,})iz${verbEnding}$`), '$1is$2'],
  [new RegExp(`^([a-z]{2,}l)ys${verbEnding}$`), '$1yz$2'],
  [new RegExp(`^([a-z]{2,}l)yz${verbEnding}$`), '$1ys$2'],
  // "centre", "metres", "fibre".
  [/^([a-z]*[aeiou][a-z]*[tb])re(s?)$/, '$1er$2'],
  [/^([a-z]*[aeiou][a-z]*[tb])er(s?)$/, '$1re$2'],
  // "defence", "licensed", "practise".
  [/^([a-z]{2,}en|[a-z]+cti)c(e|es|ed|ing|eless)$/, '$1s$2'],
  [/^([a-z]{2,}en|[a-z]+cti)s(e|es|ed|ing|eless)$/, '$1c$2'],
  // "catalogue", "programmes".
  [/^([a-z]*[aeiou]log)ue(s?)$/, '$1$2'],
  [/^([a-z]*[aeiou]log)(s?)$/, '$1ue$2'],
  [/^([a-z]*gram)me(s?)$/, '$1$2'],
  [/^([a-z]*gram)(s?)$/, '$1me$2'],
  // "marvellous", "counsellor", "fulfilment", "skilful"; stems join "travelling" and "traveling".
  [/^([a-z]+[aeiou]l)l(ors?|ous|ists?|ful|ments?)$/, '$1$2'],
  [/^([a-z]+[aeiou]l)(ors?|ous|ists?|ful|ments?)$/, '$1l$2'],
  // "judgement".
  [/^([a-z]+dg)e(ments?)$/, '$1$2'],
  [/^([a-z]+dg)(ments?)$/, '$1e$2'],
];

/** Beginnings of words that no rule of endings joins. */
const pairs = `
  aeroplane airplane, aesthet esthet, ageing aging, aluminium aluminum, anaem anem, anaesth anesth,
  archaeo archeo, artefact artifact, burnt burn, cheque check, coeliac celiac, cosi cozi, cosy cozy,
  diarrhoea diarrhea, doughnut donut, draught draft, dreamt dream, encyclopaed encycloped, foet fet,
  grey gray, gynaeco gyneco, haem hem, jewellery jewelry, kerb curb, knelt kneel, leant lean,
  leapt leap, learnt learn, leukaem leukem, manoeuvr maneuver, mould mold, moustach mustach,
  mum mom, mummy mommy, oesoph esoph, oestro estro, omelette omelet, orthopaed orthoped, paed ped,
  plough plow, pyjama pajama, sceptic skeptic, smelt smell, speciality specialty, spelt spell,
  spilt spill, spoilt spoil, sulph sulf, tyre tire, woollen woolen, yoghurt yogurt`;

const roots = pairs.split(',').flatMap((pair) => {
  const [british = '', american = ''] = pair.trim().split(' ');
  return [[british, american] as const, [american, british] as const];
});
