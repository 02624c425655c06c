export const germanSearch = {
  asks: 'was|wer|wen|wem|wessen|wo|wohin|woher|wann|welche[rmns]?|warum|wie',
  asksOn: 'und',
  also: 'auch',
  pronouns: 'er|ihn|ihm|sein\\p{L}{0,2}|ihr\\p{L}{0,2}',
  past: 'früher\\p{L}*|vorher|ehemals',
  passwords: 'passwort|kennwort',
  passwordIs: ' (?:lautet|ist)',
  numbers: 'drei|vier|fünf|sechs|acht',
  parts: 'wörter|zeichen',
  negations: 'nicht|kein\\p{L}*|nie',
};
