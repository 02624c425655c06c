export const englishSearch = {
  asks: 'what|who|whom|whose|where|when|which|why|how|do|does|did|is|are|was|were|can|has|have',
  asksOn: 'and',
  also: 'also',
  asksMore: 'what about|how about',
  pronouns: 'he|him|his|she|her|hers|it|its|they|them|their|there',
  past:
    'before|used? to|previous(?:ly)?|former(?:ly)?|earlier|original(?:ly)?|at first|' +
    'in the past|back then|(?<!how )old',
  passwords: 'pass ?(?:word|phrase|code|wd)',
  passwordIs: ' is',
  noPassword: 'manager|policy|reset|generator|hash|protected|field',
  numbers: 'two|three|four|five|six|seven|eight|nine|ten|twelve|several|random',
  parts: 'words?|characters?|letters?|digits?|symbols?',
  negations: "not?|never|none|without|\\p{L}+n['’]t",
};
