import { anyWord, type ClauseRules } from '../rules.ts';
import { splitRelatives } from './relatives.ts';

/** Verbs of which the subject may be somebody else, or a thing. */
const verbsOfOthers =
  '(?:is|are|was|has|have|lives?|works?|studies|plays?|loves?|likes?|hates?|runs|teaches|speaks|' +
  'owns?|drives?|cooks?|eats?|drinks?|prefers?|keeps?|sells?|opens?|closes?|starts?|costs?)(?!\\p{L})';

export const englishClauses: ClauseRules = {
  relatives: splitRelatives,
  age: "I'm # years old",
  subject: new RegExp(
    "^(?:(?:I|i|[Ww]e|User)(?!\\p{L}|['’]s)|(?:[Mm]y|[Oo]ur|User['’]s) (?:[\\p{Ll}-]+ ){1,2}?(?:\\p{Lu}\\p{L}+ )?" +
      `(?=${verbsOfOthers})|\\p{Lu}\\p{L}+ (?=(?:is|has|works|lives) )) ?`,
    'u',
  ),
  elliptic:
    /^(?:\S+ ){1,4}(?:am|is|are|was|were|do|does|did|has|have|had|can|could|will|would)(?:n['’]t| not)?(?: too| either)?[.!]*$/iu,
  joint: /(?:, (?:and |but |plus )?|; | (?:and|but|plus) )(?:also )?/gu,
  own: new RegExp(
    "^(?:(?:I|we)(?:['’](?:m|ve|re))? (?:[a-z]+ly )?\\p{L}+|(?:I|we)['’](?:m|ve|re) |" +
      `(?:my|our) (?:[\\p{Ll}-]+ ){1,2}(?:\\p{Lu}\\p{L}+ )?${verbsOfOthers}|` +
      "(?:my|our) [\\p{Ll}-]+(?: \\p{Lu}\\p{L}+)?['’]s )",
    'iu',
  ),
  verb: /^(?:(?:really|usually|currently|now|mostly|mainly) )?(?:am|have|own|live|work|study|play|love|like|hate|prefer|teach|speak|drive|run|cook|drink|eat|is|has|owns|lives|works|studies|plays|loves|likes|hates|prefers|teaches|speaks|drives|runs|cooks|drinks|eats) \p{L}/u,
  joiners:
    'nor plus yet so that whose whom where when whenever while because although though if ' +
    'unless with without also too both either neither except besides including such like ' +
    'whereas then',
  unsure: anyWord(
    'if|unless|whether|when|whenever|until|before|hope|hopes|hoping|wish|wishes|think|thinks|guess|suppose|imagine|maybe|perhaps|probably|might|(?<!in )may|mean|meant|would|could|should|wants?|wanna|plan(?:s|ning)?|thinking|said|says|told|tells|heard|dreamed|dreamt|pretend|in case|either|neither|so that|let',
  ),
  governing: anyWord(
    "not|never|no|hardly|can|can['’]t|cannot|will|won['’]t|don['’]t|doesn['’]t|didn['’]t|isn['’]t|haven['’]t|must|to|used|going|do|does|did|without|who|which|that|where",
  ),
  reference: anyWord(
    'he|she|it|they|him|her|them|his|hers|its|their|theirs|this|that|these|those|there|then|one|ones|both|so|too|either|neither|same|such|else|other|others',
  ),
};
