export const russianSearch = {
  asks: 'кто|что|где|когда|какой|какая|какие|как|почему|сколько',
  asksOn: 'и',
  pronouns: 'он|она|они|его|её|их',
  past: 'раньше|прежде',
  passwords: 'пароль',
  negations: 'не|нет',
};
