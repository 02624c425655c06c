import { askingPatterns, type ForgettingWords } from '../forgetting-words.ts';
import { germanFamily } from './family.ts';

export const germanForgetting: ForgettingWords = {
  asks: askingPatterns({
    leads: 'bitte|kannst du|könntest du',
    forget:
      'vergiss|vergessen sie|vergisst du|(?:lösch(?:e|en)?|streiche)(?: bitte| mal){0,2},? dass',
    delete: 'lösch(?:e|en)?|streiche|entferne',
    remembered: 'gedächtnis|erinnerung(?:en)?|gesagt|erzählt|gemerkt',
    never:
      '(?<!\\p{L})(?:nicht|nie)(?!\\p{L})[^.]{0,20}verg[ei]ss|' +
      '(?<!\\p{L})verg[ei]ss\\p{L}{0,20} (?:[^.]{1,30} )?(?:nicht|nie)(?!\\p{L})',
  }),
  kin:
    `${germanFamily}(?:e?s|e?n)?|(?:ehe)?(?:frau|mann(?:es)?)|söhne|töchter|geschwister|eltern|` +
    '(?:kind|freund|bruder|hund)(?:er?|es)|(?:groß|schwieger)\\p{L}+|schw[aä]ger(?:in)?|' +
    'enkel(?:in)?|pferd',
  user: '(?:be)?nutzer(?:in|s|innen)?|users?',
  words: {
    verbs: `vergiss vergessen vergesst vergisst lösche löschen lösch streiche streich entferne
      entfernen`,
    nouns: `alles gesagt erzählt geschrieben sache sachen notiz notizen eintrag information
      informationen gedächtnis erinnerung erinnerungen speicher gespeichert tatsache bezüglich`,
    polite: 'bitte danke mal doch einfach kannst könntest würdest möchte dass',
    free: 'nehmen nimm weg raus behalten merken mehr brauchst',
    that: 'dass daß',
    capitalizesNouns: true,
    verbLastAfter: 'ich',
    // "Ich lerne", "lernt": the stem of a third person keeps its ending.
    otherForm: (word) => word.replace(/e$/, 't'),
    all: 'alles',
    kinds: {
      job: 'arbeit beruf',
      lives_in: 'wohne wohnen',
      age: 'alter',
      diet: 'ernährung',
      allergic_to: 'allergie',
    },
  },
  signs: null,
};
