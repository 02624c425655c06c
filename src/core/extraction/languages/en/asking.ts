import { type AskingWords, askingWords } from '../asking-words.ts';

export const englishAsking: AskingWords = askingWords({
  polite:
    'please|pls|plz|now|then|just|ok|okay|and|so|but|or|also|maybe|alternatively|instead|can you|could you',
  tasks: [
    '(?:tell|show|give|send|remind|help|teach|read|walk|sing|cook|recommend|suggest)(?: it to)? (?:me|us|them)',
    '(?:explain|write|list|summari[sz]e|translate|describe|compare|suggest|recommend|find|create|generate|fix|check|draft|proofread|rewrite|calculate|convert|plan|make|take|put|add|remove|drop|cut|shorten|redo|rephrase|reword|reformat|format|sort|count|continue|insert|turn|merge|split|highlight|simplify|expand|edit|correct|replace|change|swap|move|pick|choose|name|guess|invent|imagine|come up with|think of|let me (?:know|see|hear)|try|run|solve|sum up|look up|search for|spell|read)(?: (?:out|off|up|down|away|in|on))? (?:me|us|an?|the|this|that|these|those|it|them|some|all|how|what|why|which|every|each|another|one|two|three|both|only|less|more|just|["\'“‘]|\\p{N})',
    '(?:make|keep) (?:it|this|that|them|the \\p{L}+) (?:\\p{L}+er|more|less|short|shorter|simple|brief)',
    '(?:start|begin|go|try|do (?:it|that|this)) (?:over|again|on|ahead)',
    '(?:act|behave) (?:as|like) (?:an?|the)',
  ],
  lasting:
    'always|never|from now on|in future|in the future|every time|whenever|by default|each time|every|each|daily|weekly|twice|once|any ?more|my',
  quoting:
    '(?<!\\p{L})(?:(?<!(?<!\\p{L})i )(?:wrote|writes|said|says|told (?:me|us)|texted|replied|posted|asked)|translate|proofread|summari[sz]e|rewrite|rephrase|correct|edit|lyrics|essay|e-?mail|letter|(?<!my )(?:message|poem|story|character)|quote|answer as|act as|from my)(?!\\p{L})',
  supposing:
    "(?:let['’]?s )?(?:suppose|supposing|imagine|assume|assuming|pretend|say)(?: that)? (?:i|we|my|you|he|she|they|there)|let['’]?s (?:say|pretend|imagine|suppose)|what if|if only|hypothetically",
  play: "(?:pretend|imagine|role-?play|let['’]?s play|play|you (?:be|play|will be))[^.!?]{1,80}(?:i['’]m|i am|i['’]ll be|i will be|i play|me as|i be) (?:an?|the|your|his|her|\\p{Lu})",
  // "If I skipped breakfast, I would get a migraine" is a fact, and so it is with most verbs.
  conditional: {
    condition:
      'if i (?:were(?! (?:to|honest))|lived|owned|won|could(?! (?:choose|pick))|had (?:more|enough|\\p{N}+|two|three)|was (?:rich|you))',
    consequence: "(?:i would|i['’]d|i could|would i)(?! (?:say|pick|choose|go (?:for|with)|call))",
    fact: 'but|because|since|though|although|while',
  },
});
