import { askingPatterns, type ForgettingWords } from '../forgetting-words.ts';
import { germanFamily } from './family.ts';

export const germanForgetting: ForgettingWords = {
  asks: askingPatterns({
    leads: 'bitte|kannst du|könntest du',
    forget:
      'vergiss|vergessen sie|vergisst du|(?:lösch(?:e|en)?|streiche)(?: bitte| mal){0,2},? dass',
    delete: 'lösch(?:e|en)?|streiche|entferne',
    remembered: 'du weißt|weißt du|gedächtnis|erinnerung(?:en)?|gesagt|erzählt|gemerkt',
    never:
      '(?<!\\p{L})(?:nicht|nie)(?!\\p{L})[^.]{0,20}verg[ei]ss|' +
      '(?<!\\p{L})verg[ei]ss\\p{L}{0,20} (?:[^.]{1,30} )?(?:nicht|nie)(?!\\p{L})' +
      '|(?<!\\p{L})(?:(?:ich|wir) (?:will|möchte|würde|muss|wollte|wünschte|versuche|wollen|möchten|müssen)|' +
      '(?:will|möchte|würde|muss|wollte) ich)(?: (?!du |dich |sie |bitte )[^\\s.]{1,20}){1,8} (?:zu )?vergessen(?!\\p{L})',
    sparing:
      '(?<!\\p{L})(?:nicht|nie|niemals|hör auf|immer|ständig)(?!\\p{L})[^.,;]{0,40}(?:verg[ei]ss|lösch)|' +
      '(?<!\\p{L})(?:verg[ei]ss|lösch)\\p{L}{0,6} [^.]{0,60}(?<!\\p{L})(?:nie|niemals|außer|ausser|bis auf|nur nicht|vorerst|immer|ständig)(?!\\p{L})|' +
      '^(?:vergiss|vergesst|lösche?)(?!\\p{L})[^?]{0,80}\\?$|^(?:wenn|falls) ',
    keepNot:
      '(?:(?:mir wäre (?:es )?lieber|ich (?:fände|hätte) es (?:besser|lieber)),? (?:wenn )?du (?:würdest )?|' +
      '(?:bitte )?(?:merke?) (?:dir )?(?:bitte )?)' +
      '(mein\\p{L}{0,2}(?: [^\\s,.]{1,30}){1,4}?) (?:bitte )?nicht(?: mehr)?(?: (?:speichern|behalten|merken|speicherst|behältst|merkst|speichertest)(?: würdest)?)?|' +
      'ich (?:möchte|will) nicht,? dass du (?:dir )?(mein\\p{L}{0,2}(?: [^\\s,.]{1,30}){1,4}?) (?:speicherst|behältst|merkst|aufhebst)',
    pointing:
      '(?:also |und |bitte ){0,2}(?:(?:das|es|den|die) (?:kannst du|können sie|darfst du)(?: bitte| also| ruhig| jetzt| gern| wieder){0,3} (?:vergessen|löschen|streichen)|' +
      'du kannst (?:das|es)(?: bitte| also| ruhig| jetzt| wieder){0,3} (?:vergessen|löschen|streichen)|(?:vergiss|lösch|lösche|streich) (?:das|es)(?: bitte| also| wieder){0,2})',
  }),
  kin:
    `${germanFamily}(?:e?s|e?n)?|(?:ehe)?(?:frau|mann(?:es)?)|söhne|töchter|geschwister|eltern|` +
    '(?:kind|freund|bruder|hund)(?:er?|es)|(?:groß|schwieger)\\p{L}+|schw[aä]ger(?:in)?|' +
    'enkel(?:in)?|pferd',
  naming: { called: 'heißt', is: 'ist' },
  user: '(?:be)?nutzer(?:in|s|innen)?|users?',
  words: {
    verbs: `vergiss vergessen vergesst vergisst löschst streichst entfernst lösche löschen lösch
      streiche streich entferne entfernen`,
    nouns: `alles gesagt erzählt geschrieben sache sachen notiz notizen eintrag information
      informationen gedächtnis erinnerung erinnerungen weißt weisst speicher gespeichert
      tatsache bezüglich`,
    polite: 'bitte danke mal doch einfach kannst könntest würdest möchte will dass',
    free: 'nehmen nimm weg raus behalten merken mehr brauchst',
    determiners: `mein meine meinen meiner meinem meines unser unsere unseren der die das den
      dem des ein eine einen`,
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
