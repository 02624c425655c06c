import type { SentenceWords } from '../rules.ts';

export const englishSentences: SentenceWords = {
  speaker: "i|i['’]\\p{L}+|im|ive|my|we|our",
  joints: 'and|but|so|also',
  conjunctions: 'and|but|so|because|since|cause|cuz|though|although|while',
  leading: 'also|as',
  relatives: 'who|whose|which|that',
  people: "(?:he|she|they|him|them|his|her|their)(?:['’](?:s|re|ll|d|ve))?",
  things: "(?:it|that|this|these|those|its)(?:['’](?:s|re|ll|d|ve))?",
  // "That bakery" names what it is about.
  pointing:
    /^(?:this|that|these|those) (?!(?:is|are|was|were|has|had|have|will|would|can|could|should|may|might|must|does|did|do|one|ones|of|for|and|or|at|in|on|to)(?!\p{L}))(?!\p{L}+(?:s|ed)(?: |[.!]*$)(?!(?:is|are|was|were|have|had)(?!\p{L})))\p{L}{3}/iu,
  anybody: /^(?:and |but |so )?they(?:['’]\p{L}+)? /iu,
  goesOn:
    /^(?:loves|likes|hates|dislikes|enjoys|prefers|lives|works|plays|studies|teaches|speaks|has|owns|drives|eats|drinks|wants|doesn['’]t|can['’]t|isn['’]t|hasn['’]t)(?!\p{L})/iu,
  unnamed: [
    // "Comes next Friday": what does?
    /^(?:comes|arrives|starts|begins|ends|opens|closes|costs|leaves|expires|happens|lasts|falls|takes place)(?!\p{L})/iu,
    /^(?:(?:the|that|this|these|those) (?:\p{L}+ ){0,2}ones?|mine|yours|ours|hers|theirs|the (?:former|latter|same))(?! (?:of|who|day|time)(?!\p{L}))(?!\p{L})/iu,
    // "We do Kyoto instead": of what?
    /^(?:(?:we|i|let)(?:['’]\p{L}+)? )(?:(?:will|can|do|did|take|go|pick|get|use|make|choose)(?!\p{L}) ?){1,2}(?:\S+ ){1,4}instead[.!]*$/iu,
    // "Yes but no coconut milk": in what?
    /^(?:yes|yeah|yep|no|nope|nah|ok|okay|sure),? but (?!(?:.{0,60} )?(?:i|i['’]\p{L}+|my|we|our)(?!\p{L}))/iu,
  ],
  joining: 'and|or|but|who|which|since(?! \\d)',
  possessives: 'his|her|their|my|our',
  role: 'as',
  places: 'in|at|for',
  textTasks: 'translat|summari[sz]|proofread|rewrit|rephras|paraphras|grammar|spelling|shorten',
  abbreviations:
    'dr|mr|mrs|ms|prof|st|jr|vs|approx|etc|no|tel|ave|gen|col|capt|sgt|fig|' +
    'vol|jan|feb|mar|apr|jun|jul|aug|sep|sept|oct|nov|dec',
};
